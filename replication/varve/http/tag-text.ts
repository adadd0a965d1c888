// Definitions of tags as the other server takes them. Units and fields keep their order, which an object would not.

import { formatValueType, type TagDefinition, type ValueType } from '../../../engine/index.ts';

export function tagText({ name, type, description, format, units, fields }: TagDefinition): string {
  const members = [member('n', JSON.stringify(name))];
  if (description !== undefined) members.push(member('d', JSON.stringify(description)));
  if (format !== undefined) members.push(member('f', JSON.stringify(format)));
  if (units !== undefined) members.push(member('u', textsOf(units)));
  if (fields !== undefined) members.push(member('fl', textsOf(fields)));
  members.push(...typeMember(type));
  return `{${members.join(',')}}`;
}

/** Text that changes the type of a tag that is there, and nothing else. */
export function typeText(name: string, type: ValueType): string {
  return `{${[member('n', JSON.stringify(name)), ...typeMember(type)].join(',')}}`;
}

function typeMember(type: ValueType): string[] {
  const text = formatValueType(type);
  return text === undefined ? [] : [member('t', JSON.stringify(text))];
}

function textsOf(texts: ReadonlyMap<number | string, string>): string {
  return `{${[...texts].map(([key, text]) => member(String(key), JSON.stringify(text))).join(',')}}`;
}

function member(key: string, json: string): string {
  return `${JSON.stringify(key)}:${json}`;
}
