import { type Attack, chain, item, many } from './attacks.js';

/** As many parts, each of its number, as there is room for. */
function fill(room: number, partOf: (index: number) => string): string {
  return many(Math.floor(room / (partOf(99_999).length + 1)), partOf);
}

/** As many levels as there is room for. */
function nested(room: number, open: string, inner: string, close: string): string {
  const levels = Math.floor((room - inner.length) / (open.length + close.length));
  return open.repeat(levels) + inner + close.repeat(levels);
}

/** One text as often as there is room for it. */
const again = (room: number, text: string) => text.repeat(room / text.length);

/** Documents that are of one thing again and again, as much as there is room for, in characters. */
export const floods: Record<string, (room: number) => Attack> = {
  'a field': (room) => ({ query: `{ ${again(room, 'me ')} }` }),
  __typename: (room) => ({ query: `{ ${again(room, '__typename ')} }` }),
  aliases: (room) => ({ query: `{ ${fill(room, (index) => `a${index}: __typename`)} }` }),
  'aliases of a list': (room) => ({
    query: `{ ${fill(room, (index) => `a${index}: vehicles { totalCount }`)} }`,
  }),
  'other values of one alias': (room) => ({
    query: `{ ${fill(room, (index) => `a: vehicle(id: "${index}") { id }`)} }`,
  }),
  'directives on many fields': (room) => ({ query: `{ ${again(room, '__typename @include(if: true) ')} }` }),
  'directives on one field': (room) => ({ query: `{ __typename ${again(room, '@include(if: true) ')} }` }),
  'unknown directives': (room) => ({ query: `{ __typename ${again(room, '@x ')} }` }),
  'a circle of fragments': (room) => ({
    query: `{ ...F0 } ${fill(room, (index) => `fragment F${index} on Query { ...F${index + 1} ...F0 }`)}`,
  }),
  'fragments that spread the next twice': (room) => ({
    query: `{ ...F0 } ${chain(Math.floor(room / 50), 2, '__typename')}`,
  }),
  'fragments that are not used': (room) => ({
    query: `{ me { id } } ${fill(room, (index) => `fragment F${index} on Me { id }`)}`,
  }),
  'a spread': (room) => ({ query: `{ ${again(room, '...F ')} } fragment F on Query { __typename }` }),
  'fields in fields': (room) => ({
    query: `{ location(id: "1") ${nested(room, '{ parentLocation ', '{ id }', '}')} }`,
  }),
  'inline fragments in each other': (room) => ({ query: nested(room, '{ ... ', '{ me { id } }', '}') }),
  'lists in lists': (room) => ({ query: item(`{ name: ${nested(room, '[', '', ']')} }`) }),
  'lists without an end': (room) => ({ query: item(again(room, '[')) }),
  'objects in objects': (room) => ({ query: item(nested(room, '{ a: ', '1', '}')) }),
  'lists of a type': (room) => ({ query: `query($a: ${nested(room, '[', 'Int', ']')}) { me { id } }` }),
  operations: (room) => ({
    query: fill(room, (index) => `query Q${index} { me { id } }`),
    operationName: 'Q1',
  }),
  variables: (room) => ({ query: `query(${fill(room, (index) => `$v${index}: Int`)}) { me { id } }` }),
  'unknown fields': (room) => ({ query: `{ ${fill(room, (index) => `x${index}`)} }` }),
  'unknown arguments': (room) => ({ query: `{ me(${fill(room, (index) => `x${index}: 1`)}) { id } }` }),
  'unknown members': (room) => ({ query: item(`{ ${fill(room, (index) => `x${index}: 1`)} }`) }),
  'members of one name': (room) => ({ query: item(`{ ${again(room, 'name: "a" ')} }`) }),
  'a long text': (room) => ({ query: `{ vehicle(id: "${again(room, 'x')}") { password } }` }),
  'a text without an end': (room) => ({ query: `{ vehicle(id: "${again(room, 'x')}` }),
  escapes: (room) => ({ query: `{ vehicle(id: "${again(room, '\\u{1F600}')}") { password } }` }),
  'a block of many lines': (room) => ({ query: `{ vehicle(id: """${again(room, ' \n')}""") { password } }` }),
  'a block without an end': (room) => ({ query: `{ vehicle(id: """${again(room, '"" ')}` }),
  'a long name': (room) => ({ query: `{ ${again(room, 'x')} }` }),
  'a long number': (room) => ({ query: `{ vehicles(first: ${again(room, '9')}) { totalCount } }` }),
  comments: (room) => ({ query: `${again(room, '#\n')} { me { password } }` }),
  commas: (room) => ({ query: `{ me ${again(room, ',')} { password } }` }),
  'lines before a wrong field': (room) => ({ query: `${again(room - 100, '\n')}{ ${again(100, 'x ')} }` }),
  'byte order marks': (room) => ({ query: `${again(room, '\uFEFF')}{ me { password } }` }),
  'NUL characters': (room) => ({ query: `{ ${again(room, '\0')} }` }),
  'lone surrogates': (room) => ({ query: `{ ${again(room, '\uD800')} }` }),
  types: (room) => ({ query: fill(room, (index) => `type T${index} { a: Int }`) }),
};
