import fc, { type Arbitrary } from 'fast-check';
import { type Part, parameterFor, resolve } from './bodies.js';
import type { World } from './world.js';

/** Random query strings for an operation of the contract, with a question mark unless empty. */
export function queryFor(operation: Part, world: World): Arbitrary<string> {
  const known = (operation.parameters ?? []).map(resolve).filter((one: Part) => one.in === 'query');
  const { teamId, otherTeamId } = world.gateway;
  const textFor = (name: string, schema: Part) =>
    name === 'team_id' ? fc.constantFrom(teamId, otherTeamId, 'van') : parameterFor(name, schema);
  const pairs = known.map(({ name, schema }: Part) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      {
        weight: 1,
        arbitrary: textFor(name, schema).map(
          (value) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
        ),
      },
    ),
  );
  const odd = fc.oneof(
    { weight: 90, arbitrary: fc.constant('') },
    {
      weight: 10,
      arbitrary: fc.constantFrom(
        '%',
        'term=%',
        'term=%00',
        'page=1&page=2',
        'a[b]=c',
        '=',
        '&&',
        '__proto__=1',
        'term=%ED%A0%80',
      ),
    },
  );
  return fc.tuple(fc.tuple(...pairs), odd).map(([some, other]) => {
    const query = [...some, other].filter(Boolean).join('&');
    return query === '' ? '' : `?${query}`;
  });
}
