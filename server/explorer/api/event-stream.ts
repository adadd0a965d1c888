// Takes a stream of server-sent events apart, in whatever pieces it comes.

export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** The marker to go on with. */
  readonly id: string | undefined;
}

/** Gives the events that each piece of text completes. */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = '';
  return (text) => {
    const blocks = `${rest}${text}`.replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(parseBlock).filter((event) => event.data !== '');
  };
}

function parseBlock(block: string): StreamEvent {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  return { event, data: data.join('\n'), id };
}
