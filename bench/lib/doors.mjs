// The worst bodies at each door: what its limits let in, most of which is refused.
import { WebSocket } from 'ws';
import { ask } from './ask.mjs';
import {
  aroundAll,
  aroundLong,
  aroundMany,
  filled,
  form,
  json,
  large,
  members,
  small,
  zipped,
} from './bodies.mjs';
import { heads } from './heads.mjs';
import { targetItem } from './hostile-data.mjs';
import { bomb, deepNames, manyEntries } from './zips.mjs';

/** Names a request, and makes it only when it is sent: all of them together take gigabytes. */
const asking = (title, request) => [title, (gateway) => ask(gateway, request())];
const all = (bodies, request, about = '') =>
  bodies.map(([title, body]) => asking(`${about}${title}`, () => request(body())));

const item = '{"name":"a","expiration_date":"2031-01-01"';
const toItems = (body) => json('/v1/expirationitems', body);
const toVehicles = (body) => json('/v1/vehicles', body);
const toContacts = (body) => json('/v1/contacts', body);
const toNotes = (body) => json('/v1/notes', body);

function rest() {
  return [
    ...all(aroundAll(large, `${item},"custom_fields":`, '}'), toItems, 'item: '),
    asking('item: gzip of empty objects', () =>
      zipped(toItems(filled(large, `${item},"custom_fields":[{}`, ',{}', ']}'))),
    ),
    ...all(aroundLong(large, `${item},"details":`, '}'), toItems, "item's details: "),
    ...all(aroundLong(large, `${item},"attachments":[{"name":"a","content":`, '}]}'), toItems, 'file: '),
    ...all(aroundAll(small, '{"custom_fields":', '}'), toVehicles, 'vehicle: '),
    ...['name', 'msrp', 'year', 'type_id', 'is_archived', 'assigned_to'].flatMap((member) =>
      all(aroundLong(small, `{"${member}":`, '}'), toVehicles, `vehicle's ${member}: `),
    ),
    ...all(aroundLong(small, '{"email":', '}'), toContacts, "contact's email: "),
    ...all(aroundLong(small, '{"email":"a@b.example","timezone":', '}'), toContacts, "contact's timezone: "),
    ...all(aroundMany(small, '{"relations":', '}'), toNotes, 'note: '),
    ...['<p>', '<b>', '<a href=', '&lt;', '<!--', '<table>'].map((html) =>
      asking(`note of ${html}`, () => toNotes(filled(65_000, '{"body":"', html, '"}'))),
    ),
    asking('note of attributes', () => toNotes(filled(65_000, '{"body":"<p ', 'a=', '"}'))),
    asking('other members', () => toVehicles(members(small))),
  ];
}

const toPatch = (type) => (body) => ({
  method: 'PATCH',
  path: `/v1/expirationitems/${targetItem(1)}`,
  headers: { 'content-type': `application/${type}+json` },
  body,
});
const patch = toPatch('json-patch');
const merge = toPatch('merge-patch');
const times = (count, operation) =>
  Buffer.from(`[${Array.from({ length: count }, (_, n) => operation(n)).join(',')}]`);
const hundredFields = `{"op":"add","path":"/custom_fields","value":[${Array(100).fill('{}').join(',')}]}`;

function patches() {
  const fields = (op) => [`[{"op":"${op}","path":"/custom_fields","value":`, '}]'];
  return [
    asking('empty operations', () => patch(filled(large, '[{}', ',{}', ']'))),
    asking('a long operation', () => patch(filled(large, '[{"op":"', 'a', '","path":"/name"}]'))),
    asking('a long path', () => patch(filled(large, '[{"op":"remove","path":"', '/a', '"}]'))),
    asking('a path of tildes', () => patch(filled(large, '[{"op":"remove","path":"/', '~1', '"}]'))),
    asking("an operation's other members", () => patch(members(large, '[{', '}]'))),
    ...all(aroundAll(large, ...fields('add')), patch, 'added: '),
    ...all(aroundMany(large, ...fields('test')), patch, 'tested: '),
    asking('500 lists of 100 entries', () => patch(times(500, () => hundredFields))),
    asking('500 moves in a list', () =>
      patch(
        times(500, (n) =>
          n === 0 ? hundredFields : '{"op":"move","from":"/custom_fields/0","path":"/custom_fields/99"}',
        ),
      ),
    ),
    asking('500 texts at the limit', () => {
      const text = filled(30_000, '"', 'a', '"');
      return patch(times(500, () => `{"op":"replace","path":"/details","value":${text}}`));
    }),
    ...all(aroundMany(large, '{"custom_fields":', '}'), merge, 'merged: '),
    asking('other members, merged', () => merge(members(large))),
  ];
}

const toGraphql = (body) => json('/graphql', body);
const operation = (query, variables) =>
  toGraphql(Buffer.from(`{"query":${JSON.stringify(query)},"variables":${variables}}`));
const fields = Array.from({ length: 100 }, () => '{name:"a",value:"b"}').join(' ');
const createItem = 'mutation($i:CreateExpirationItemInput!){createExpirationItem(input:$i){id}}';

/** Creates a document with many texts in inputs, beside variables with many members. */
function literalsBesideVariables() {
  const mutations = Array.from(
    { length: 4 },
    (_, n) => `a${n}:createContact(input:{email:"a",isActive:1,customFields:[${fields}]}){id}`,
  );
  return operation(`mutation{${mutations.join(' ')}}`, members(200_000));
}

/** Creates a document that has one variable in as many places as it may. */
function repeated(contact) {
  const places = Array.from({ length: 50 }, (_, n) => `a${n}:createContact(input:$i){id}`);
  return operation(`mutation($i:CreateContactInput!){${places.join(' ')}}`, `{"i":${contact}}`);
}

function graphql() {
  const input = (member) => [
    `{"query":${JSON.stringify(createItem)},"variables":{"i":{"name":"a","${member}":`,
    '}}}',
  ];
  const ids = `["${Array(19_000).fill(targetItem(1)).join('","')}"]`;
  return [
    ...all(aroundAll(large, '{"query":"{me{id}}","variables":{"a":', '}}'), toGraphql, 'variable: '),
    asking('gzip of empty objects', () =>
      zipped(toGraphql(filled(large, '{"query":"{me{id}}","variables":{"a":[{}', ',{}', ']}}'))),
    ),
    ...all(aroundMany(large, '{"query":"{me{id}}","extensions":', '}'), toGraphql, 'extensions: '),
    ...all(aroundAll(large, '{"query":', '}'), toGraphql, 'document: '),
    ...all(aroundLong(large, '{"query":"{me{id}}","operationName":', '}'), toGraphql, 'operation name: '),
    ...all(aroundLong(large, '{"documentId":', '}'), toGraphql, 'document id: '),
    asking('a document of names', () => toGraphql(filled(65_000, '{"query":"{', 'a ', '}"}'))),
    asking('a document of comments', () => toGraphql(filled(65_000, '{"query":"', '#\\n', '{me{id}}"}'))),
    asking('a document of a text', () => toGraphql(filled(65_000, '{"query":"{a(a:\\"', 'a', '\\")}"}'))),
    ...['name', 'details', 'expirationDate', 'contactId', 'isActive'].flatMap((member) =>
      all(aroundLong(large, ...input(member)), toGraphql, `${member}: `),
    ),
    asking('literals beside 19,000 variables', literalsBesideVariables),
    asking('6,000 entries in 50 places', () =>
      repeated(`{"email":"a","customFields":[${Array(6_000).fill('{}').join(',')}]}`),
    ),
    asking('100 entries in 50 places', () =>
      repeated(`{"email":"a@b.example","customFields":[${Array(100).fill('{"name":"a"}').join(',')}]}`),
    ),
    asking('a text of 15 MiB in 50 places', () =>
      repeated(filled(large - 4_096, '{"email":"a@b.example","name":"', '😀', '"}')),
    ),
    ...all(
      aroundLong(
        large,
        '{"query":"query($d:OrderDirection!){vehicles(orderBy:{field:NAME,direction:$d}){totalCount}}","variables":{"d":',
        '}}',
      ),
      toGraphql,
      'enum: ',
    ),
    asking('19,000 ids to delete', () =>
      operation('mutation($ids:[ID!]!){deleteVehicles(ids:$ids){__typename}}', `{"ids":${ids}}`),
    ),
  ];
}

/** Requests of a caller that may only send uploads. */
const asUploader = ([title, send]) => [
  `uploader: ${title}`,
  (gateway) => send({ ...gateway, token: gateway.uploader }),
];

function forms() {
  const map = (content) => [
    ['name="operations"', '{"query":"{me{id}}","variables":{}}'],
    ['name="map"', content],
    ['name="0"; filename="a"', 'a'],
  ];
  return [
    ...all(aroundMany(large, '', ''), (body) =>
      form('/graphql', [
        ['name="operations"', body],
        ['name="map"', '{}'],
      ]),
    ),
    ...all(aroundMany(large, '{"0":', '}'), (body) => form('/graphql', map(body)), 'map: '),
    asking('a long path in the map', () =>
      form('/graphql', map(filled(large, '{"0":["variables', '.a', '"]}'))),
    ),
    asking('100,000 parts', () => form('/graphql', Array(100_000).fill(['name="a"', '']))),
    asking('parts without heads', () => ({
      ...form('/graphql', []),
      body: filled(large, '', '--part\r\n\r\n'),
    })),
    ...['\r\n', '\r\n--par', '\r\n-', '\n', '-'].map((text) =>
      asking(`a file of ${JSON.stringify(text)}`, () =>
        form('/graphql', [['name="0"; filename="a"', filled(large, '', text)]]),
      ),
    ),
    asking('dashes at a boundary of dashes', () =>
      form('/graphql', [['name="a"', filled(large, '', '-')]], '-'.repeat(69)),
    ),
    asking('a long text', () => form('/v1/uploads', [['name="name"', filled(large, '', 'é')]])),
    asking('99 long texts', () =>
      form(
        '/v1/uploads',
        Array.from({ length: 99 }, (_, n) => [`name="${n}"`, filled(large / 99 - 200, '', '😀')]),
      ),
    ),
  ];
}

function receiver() {
  const receive = (body) => json('/v1/bulkscan/receive', body);
  return [
    ...all(aroundAll(small, '{"action":"fp.upload","text":{"upload_Tags":{"a":', '}}}'), receive, 'tags: '),
    ...['id', 'timestamp', 'action'].flatMap((member) =>
      all(aroundLong(small, `{"${member}":`, '}'), receive, `${member}: `),
    ),
    asking('other members', () => receive(members(small))),
  ];
}

function mcp() {
  const send = (body) => json('/mcp', body, { accept: 'application/json, text/event-stream' });
  const called = (name) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":`;
  return [
    ...all(aroundAll(small, called('search_items'), '}}'), send, 'arguments: '),
    ...all(aroundLong(small, `${called('search_items')}{"term":`, '}}}'), send, 'term: '),
    ...all(
      aroundAll(small, `${called('create_item')}{"name":"a","expirationDate":"2031-01-01","tags":`, '}}}'),
      send,
      'tags: ',
    ),
    ...all(aroundAll(small, '{"jsonrpc":"2.0","id":', ',"method":"tools/list"}'), send, 'id: '),
    ...all(aroundAll(small, '{"jsonrpc":"2.0","id":1,"method":', '}'), send, 'method: '),
  ];
}

/** Sends a message over a WebSocket; returns how it was answered. */
function send({ url, token }, message) {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
    const end = (outcome) => {
      clearTimeout(timer);
      socket.terminate();
      resolve(outcome);
    };
    const timer = setTimeout(() => end('no answer in 60 s'), 60_000);
    socket.once('open', () => socket.send('{"type":"connection_init"}'));
    socket.once('message', () => {
      socket.once('message', (text) => end(JSON.parse(text).type));
      socket.send(message);
    });
    socket.once('error', ({ code }) => end(code));
    socket.once('close', (code) => end(`closed ${code}`));
  });
}

function websocket() {
  return [
    ['variable: ', '{"id":"1","type":"subscribe","payload":{"query":"{me{id}}","variables":{"a":', '}}}'],
    ['document: ', '{"id":"1","type":"subscribe","payload":{"query":', '}}'],
    ['id: ', '{"type":"subscribe","payload":{"query":"{me{id}}"},"id":', '}'],
    ['ping: ', '{"type":"ping","payload":', '}'],
  ].flatMap(([about, before, after]) =>
    aroundAll(small, before, after).map(([title, body]) => [
      `${about}${title}`,
      (gateway) => send(gateway, String(body())),
    ]),
  );
}

const session = () =>
  all(aroundAll(63 * 1024, '{"email":"a@b.example","password":', '}'), (body) =>
    json('/session/password', body),
  );

function files() {
  const csv = (body) => json('/v1/imports?kind=items', body, { 'content-type': 'text/csv' });
  const zip = (body) => json('/v1/imports?kind=workspace', body, { 'content-type': 'application/zip' });
  return [
    asking('empty rows', () => csv(filled(large, 'name,expiration_date\n', '\n'))),
    asking('columns', () => csv(filled(large, 'name', ','))),
    asking('rows of columns', () => csv(filled(large, 'name\n', `${','.repeat(999)}\n`))),
    asking('quotes', () => csv(filled(large, 'name\n"', '""', '"'))),
    asking('an open quote', () => csv(filled(large, 'name\n"', 'a,\n'))),
    asking('one long line', () => csv(filled(large, 'name\n', 'a'))),
    asking('a huge cell in quotes', () => csv(filled(large, 'name\n"', 'a', '"'))),
    asking('millions of lines', () => csv(filled(large, 'name\n', 'a\n'))),
    asking('carriage returns', () => csv(filled(large, 'name\n', '\r'))),
    asking('quotes in cells', () => csv(filled(large, 'name\n', 'a"b\n'))),
    asking('semicolons and tabs', () => csv(filled(large, 'name\n', ';\t'))),
    asking('cells of four bytes', () => csv(filled(large, 'name\n', '😀,'))),
    asking('NUL characters', () => csv(filled(large, 'name\n', '\0'))),
    asking('UTF-16', () => csv(Buffer.from(`\ufeff${'a,\n'.repeat(2_500_000)}`, 'utf16le'))),
    ...['application/vnd.ms-excel', 'text/tab-separated-values', 'text/plain'].map((type) =>
      asking(`rows as ${type}`, () =>
        json('/v1/imports?kind=items', filled(large, 'name\n', 'a\tb\n'), { 'content-type': type }),
      ),
    ),
    asking('a form', () =>
      form('/v1/imports?kind=items', [
        ['name="file"; filename="a.csv"', filled(large - 1_000, 'name\n', 'a,')],
      ]),
    ),
    asking('a ZIP file of many entries', () => zip(manyEntries(60_000))),
    asking('a ZIP file of deep names', () => zip(deepNames(250))),
    asking('a ZIP bomb', () => zip(bomb())),
    asking('a file in no encoding', () => csv(Buffer.alloc(large, 0xff))),
    asking('a ZIP file of nothing', () => zip(filled(large, 'PK\x03\x04', '\0'))),
    asking('a ZIP file of endings', () => zip(filled(large, 'PK\x03\x04', 'PK\x05\x06'))),
  ];
}

/** The bodies by door. Each has a title, and a function that sends it once. */
export const doors = {
  rest,
  patches,
  graphql,
  uploader: () => graphql().map(asUploader),
  forms,
  receiver,
  mcp,
  websocket,
  session,
  files,
  heads: () => heads().map(([title, request]) => asking(title, () => request)),
};
