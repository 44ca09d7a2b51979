import { describe, expect, test } from 'vitest';
import { acceptedTypes, accepts, prefersPage } from '../../src/http/request/request.js';

describe('acceptedTypes', () => {
  test.each([
    [null, ['*/*']],
    ['application/json', ['application/json']],
    ['Application/JSON; charset=UTF-8', ['application/json']],
    ['application/json;q=0.5, text/html', ['text/html', 'application/json']],
    ['text/html, application/json;q=0', ['text/html']],
    ['application/json; charset=iso-8859-1, text/html', ['text/html']],
    ['no media type', []],
  ])('reads %j by preference', (accept, types) => {
    expect(acceptedTypes(accept)).toEqual(types);
    expect(acceptedTypes(accept)).toEqual(types);
  });
});

describe('accepts', () => {
  test.each([
    [null, true],
    ['*/*', true],
    ['text/*', true],
    ['text/event-stream;q=0.1', true],
    ['application/*', false],
    ['text/event-stream;q=0', false],
  ])('answers of %j whether a stream may come', (accept, expected) => {
    expect(accepts(accept, 'text/event-stream')).toBe(expected);
  });
});

describe('prefersPage', () => {
  test.each([
    [null, false],
    ['*/*', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json, text/html', false],
    ['application/json;q=0.9, text/html', true],
  ])('returns for %j whether a browser shows a page', (accept, expected) => {
    expect(prefersPage(accept)).toBe(expected);
  });
});
