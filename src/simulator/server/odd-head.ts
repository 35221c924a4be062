/** Heads as small web servers write them: clients read them, strict parsers do not. */
import type { ServerResponse } from 'node:http';

const SPELLINGS = {
  'line-feeds': (head: string) => head.replaceAll('\r\n', '\n'),
  nameless: (head: string) => head.replace('\r\n', '\r\nTue, 12 Jun 2012 01:56:34 GMT\r\n'),
  spaced: (head: string) => head.replaceAll(/\r\n([\w-]+):/g, '\r\n$1 :'),
  'length-twice': (head: string) => head.replace(/\r\ncontent-length:.*/i, '$&$&'),
  folded: (head: string) => head.replaceAll(/\r\n([\w-]+): /g, '\r\n$1:\r\n '),
} as const;

export type HeadSpelling = keyof typeof SPELLINGS;
export const HEAD_SPELLINGS = Object.keys(SPELLINGS) as readonly HeadSpelling[];

/** Writes the head of this answer in the given spelling; its body stays as it is. */
export function spellHead(response: ServerResponse, spelling: HeadSpelling): void {
  const { socket } = response;
  if (socket === null) return;
  const write = socket.write.bind(socket);
  socket.write = (...[chunk, ...rest]: unknown[]) => {
    socket.write = write;
    return Reflect.apply(write, socket, [
      typeof chunk === 'string' ? spelled(chunk, spelling) : chunk,
      ...rest,
    ]);
  };
}

function spelled(text: string, spelling: HeadSpelling): string {
  const end = text.indexOf('\r\n\r\n') + 4;
  return SPELLINGS[spelling](text.slice(0, end)) + text.slice(end);
}
