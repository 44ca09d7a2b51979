// The worst heads: addresses and headers as large as they may be.
import { createHash } from 'node:crypto';
import { targetItem } from './hostile-data.mjs';

/** Characters of an address or a header that is just within the limit of a head. */
const most = 15_000;

const fill = (before, repeated, after = '') =>
  before + repeated.repeat(Math.floor((most - before.length - after.length) / repeated.length)) + after;

const get = (path, headers = {}) => ({ method: 'GET', path, headers });
const encoded = (json) => encodeURIComponent(json).slice(0, most);

/** Nested conditions of a filter, as deep as the head allows. */
const nested = (word) => {
  const count = 500;
  return `${`{"${word}":[`.repeat(count)}{}${']}'.repeat(count)}`;
};

/** Requests with the worst query strings of lists and exports. */
const queries = Object.entries({
  'a page of digits': fill('page=', '9'),
  'parameters without values': fill('', 'a&'),
  'one parameter again and again': fill('', 'term=a&'),
  'percent signs': fill('term=', '%25'),
  'broken percent signs': fill('term=', '%'),
  'words of a search': fill('term=', 'a+'),
  'one long word': fill('term=', 'a'),
  'wildcards of a search': fill('term=', '%25_%5C'),
  'names to order by': fill('sort=', 'name,'),
  'words of an enum': fill('status=', 'expired,'),
  'a filter of brackets': fill('filter=', '%5B'),
  'a nested filter': `filter=${encoded(nested('and'))}`,
  'a filter of alternatives': `filter=${encoded(`{"or":[${'{},'.repeat(1_200)}{}]}`)}`,
  'a filter of digits': fill('filter=%7B%22amount%22:', '9', '%7D'),
  'a filter of ids': `filter=${encoded(`{"tags":["${Array(250).fill(targetItem(1)).join('","')}"]}`)}`,
  'a cursor': fill('after=', 'a'),
});

/** The worst values of headers that something reads. */
const headers = Object.entries({
  cookie: [fill('', 'a=b;'), fill('', '='), fill('', '\u00a0;'), fill('__Host-session=', 'a')],
  'if-match': [fill('', '"a",'), fill('', '"'), fill('', ','), fill('', 'W/"a" , ')],
  'if-none-match': [fill('', '"a",'), fill('', '"')],
  range: [fill('bytes=', '0-0,'), fill('bytes=', '9'), fill('bytes=', '-')],
  accept: [fill('', 'a/b;q=0.1,'), fill('', '*/*;'), fill('', ',')],
  'accept-language': [fill('', 'en;q=0.1,'), fill('', 'a-'), fill('', '*,')],
  'accept-encoding': [fill('', 'gzip;q=0.1,'), fill('', ',')],
  authorization: [fill('Bearer ', 'a'), fill('Bearer ', 'a.'), fill('', ' ')],
  'x-forwarded-for': [fill('', '::1,'), fill('', ',')],
  'idempotency-key': [fill('"', 'a', '"'), fill('', '\\"')],
  traceparent: [fill('00-', '0')],
  origin: [fill('https://', 'a.')],
  'content-type': [fill('application/json;', 'a=b;'), fill('multipart/form-data; boundary=', 'a')],
});

/** Requests with the worst metadata of uploads in pieces (tus). */
const metadata = [
  fill('filename ', 'YWFh'),
  fill('', 'a YQ==,'),
  fill('', 'a,'),
  fill('', ','),
  fill('', ' '),
  `filename ${Buffer.from('é'.repeat(5_000)).toString('base64')}`,
].map((text) => ({
  method: 'POST',
  path: '/v1/resumable-uploads',
  headers: { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': text },
}));

/** Returns the requests with their titles. */
export function heads() {
  const lists = ['/v1/expirationitems', '/v1/expirationitems.csv', '/v1/vehicles'];
  return [
    ...queries.flatMap(([title, query]) =>
      lists.map((path) => [`${path.slice(4)}: ${title}`, get(`${path}?${query}`)]),
    ),
    ...headers.flatMap(([name, values]) =>
      values.map((value, n) => [
        `${name} ${n + 1}`,
        get(`/v1/expirationitems/${targetItem(1)}`, { [name]: value }),
      ]),
    ),
    ...['range', 'if-match', 'if-none-match'].flatMap((name) =>
      Object.fromEntries(headers)[name].map((value, n) => [
        `${name} ${n + 1} of a file`,
        get(`/attachments/${targetItem(1)}`, { [name]: value }),
      ]),
    ),
    ...metadata.map((request, n) => [`metadata ${n + 1} of an upload in pieces`, request]),
    ['a long path', get(fill('/v1/', 'a/'))],
    ['a path of percent signs', get(fill('/v1/vehicles/', '%25'))],
    ['a path of dots', get(fill('/v1/', '../'))],
    ['a calendar', get(`${fill('/calendar/', 'a')}.ics`)],
    ['an issuer’s answer', get(fill('/session/oidc?code=', 'a', '&state=a'))],
    ['GraphQL in an address', get(fill('/graphql?query=', '%7Ba'))],
    ['a hash of a document', get(`/graphql?documentId=${createHash('sha256').digest('hex')}`)],
  ];
}
