// Every name on disk. Nothing else in the engine puts a path together.

import { EngineError } from './errors.ts';
import { MAX_FOLDER_NAME_BYTES } from './limits.ts';

export const DATASET_FILE = 'dataset.json';
export const CATALOG_FILE = 'catalog';
export const ANNOTATIONS_FILE = 'annotations';
export const JOURNAL_FOLDER = 'journal';
export const SPILL_FOLDER = 'spill';
export const TAGS_FOLDER = 'tags';
export const HOLD_FILE = 'HOLD';
/** In the data folder: recently deleted datasets, which data writes must not create again. */
export const DELETIONS_FILE = '.deletions.json';
/** Suffix of a file that is not completely written; readers ignore it. */
export const UNFINISHED = '.new';
/** Name prefix of a dataset folder that is being created. */
export const CREATING_PREFIX = '.new-';
/** Name prefix of a dataset folder that is being removed. */
export const DELETED_PREFIX = '.deleted-';

const NUMBER_DIGITS = 10;

/** File name of journal or spill number `n`: names sort in the order of numbers. */
export function formatFileNumber(n: number): string {
  return String(n).padStart(NUMBER_DIGITS, '0');
}

/** The number of a journal or spill by its file name, or undefined for any other name. */
export function parseFileNumber(name: string): number | undefined {
  return /^\d{10}$/.test(name) ? Number(name) : undefined;
}

/** Subfolder of `tags` for a tag: 256 of them, so that directories stay small. */
export function tagFolder(tagId: number): string {
  return (tagId & 0xff).toString(16).padStart(2, '0');
}

export function formatTagFile(tagId: number, n: number): string {
  return `${tagId}.${n}`;
}

export function parseTagFile(name: string): { tagId: number; n: number } | undefined {
  const match = /^([1-9]\d{0,9})\.(0|[1-9]\d{0,9})$/.exec(name);
  if (!match) return undefined;
  const tagId = Number(match[1]);
  return tagId < 2 ** 32 ? { tagId, n: Number(match[2]) } : undefined;
}

/** Device names of Windows, reserved with or without an extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?$/i;
const PLAIN = /[A-Za-z0-9_-]/;
const encoder = new TextEncoder();

/**
 * The folder of a dataset name. ASCII letters, digits, `_`, `-`, inner dots and spaces stay; everything else is
 * percent-escaped by UTF-8 byte. Throws BAD_NAME for names that cannot be a dataset.
 */
export function encodeDatasetFolder(name: string): string {
  checkDatasetName(name);
  const folder = RESERVED.test(name)
    ? escapeCharacter(name.charAt(0)) + escapeInner(name.slice(1), 'tail')
    : escapeInner(name, 'whole');
  return checkLength(name, folder);
}

/**
 * The folder for a name that differs from an existing one in case only: its capitals are escaped as well or, where it has
 * none, its first letter. The result differs from the folders of all other names in more than case.
 */
export function encodeDatasetFolderByCase(name: string): string {
  const plain = encodeDatasetFolder(name);
  const escaped = plain.replace(/%..|[A-Z]/g, (part) => (part.length === 1 ? escapeCharacter(part) : part));
  return checkLength(name, escaped === plain ? escapeFirstSmallLetter(plain) : escaped);
}

function escapeFirstSmallLetter(folder: string): string {
  return folder.replace(/^((?:%..|[^%a-z])*)([a-z])/, (_, before: string, letter) => before + escapeCharacter(letter));
}

/** The dataset name of a folder, or undefined when it is not a dataset folder. */
export function decodeDatasetFolder(folder: string): string | undefined {
  if (folder.startsWith('.') || !/^(?:[A-Za-z0-9_. -]|%[0-9A-F]{2})+$/.test(folder)) return undefined;
  try {
    const name = decodeURIComponent(folder);
    checkDatasetName(name);
    const plain = encodeDatasetFolder(name);
    return folder === plain || folder === encodeDatasetFolderByCase(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

function checkDatasetName(name: string): void {
  if (name === '' || name === '.' || name === '..') throw badName(name, 'is empty, "." or ".."');
  if (hasControlCharacter(name)) throw badName(name, 'has a control character');
  if (!name.isWellFormed()) throw badName(name, 'has a lone surrogate');
}

/** Control characters: C0, DEL and C1. */
export function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}

function badName(name: string, why: string): EngineError {
  return new EngineError('BAD_NAME', `${JSON.stringify(name)} cannot be a dataset name: it ${why}.`, { name });
}

function checkLength(name: string, folder: string): string {
  if (folder.length <= MAX_FOLDER_NAME_BYTES) return folder;
  throw badName(name, `takes ${folder.length} bytes as a folder name; ${MAX_FOLDER_NAME_BYTES} are allowed`);
}

function escapeInner(name: string, part: 'whole' | 'tail'): string {
  let folder = '';
  const characters = [...name];
  for (const [i, character] of characters.entries()) {
    const inner = (i > 0 || part === 'tail') && i < characters.length - 1;
    const plain = PLAIN.test(character) || (inner && (character === '.' || character === ' '));
    folder += plain ? character : [...encoder.encode(character)].map(escapeByte).join('');
  }
  return folder;
}

/** Escapes an ASCII character. */
function escapeCharacter(character: string): string {
  return escapeByte(character.charCodeAt(0));
}

function escapeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}
