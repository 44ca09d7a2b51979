import type { Arbitrary, Random } from 'fast-check';
import type { GraphQLInputType } from 'graphql';
import type { Written } from './inputs.js';
import type { World } from './world.js';

/** A GraphQL document and its variables while they are drawn. */
export class Draft {
  readonly world: Pick<World, 'ids'>;
  /** Definitions of variables, in the words of the document. */
  readonly definitions: string[] = [];
  /** Values of variables as JSON, by name. */
  readonly variables: string[] = [];
  /** Fragments that are complete, with the type that each is on. */
  readonly fragments: { readonly name: string; readonly on: string; readonly text: string }[] = [];
  /** Fields by the names that answers have for them: two of one name can only be merged when they are the same. */
  readonly keys = new Map<string, string>();
  readonly #random: Random;
  readonly #conditions: string[] = [];
  #count = 0;

  constructor(random: Random, world: Pick<World, 'ids'>) {
    this.#random = random;
    this.world = world;
  }

  /** Draws a whole number from 0 on. */
  below(count: number): number {
    return this.#random.nextInt(0, count - 1);
  }

  /** Draws true once in so many times. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  /** Draws one of a list. */
  pick<T>(all: readonly [T, ...T[]] | readonly T[]): T {
    return all[this.below(all.length)] as T;
  }

  /** Draws a value. */
  value<T>(arbitrary: Arbitrary<T>): T {
    return arbitrary.generate(this.#random, undefined).value;
  }

  /** Creates a name that the document does not have yet. */
  name(prefix: string): string {
    return `${prefix}${this.#count++}`;
  }

  /** Writes a value of an argument: as a literal, or by a variable that is given, null, left out or has a default. */
  written(type: GraphQLInputType | string, { json, literal }: Written): string {
    if (!this.oneIn(2)) return literal;
    const name = this.name('v');
    const nullable = String(type).replace(/!$/, '');
    const [definition, given] = this.pick([
      [String(type), json],
      [String(type), json],
      [`${nullable} = ${literal}`, undefined],
      ...(String(type) === nullable
        ? [
            [`${nullable} = ${literal}`, 'null'],
            [`${nullable} = null`, json],
            [nullable, 'null'],
            [nullable, undefined],
          ]
        : []),
    ]) as [string, string | undefined];
    this.definitions.push(`$${name}: ${definition}`);
    if (given !== undefined) this.variables.push(`"${name}":${given}`);
    return `$${name}`;
  }

  /** Writes the conditions of a selection: none, in most cases. */
  condition(): string {
    if (!this.oneIn(6)) return '';
    const names = this.pick([['skip'], ['include'], ['skip', 'include'], ['include', 'skip']]);
    return names
      .map((name) => ` @${name}(if: ${this.#truth((name === 'include') !== this.oneIn(4))})`)
      .join('');
  }

  #truth(value: boolean): string {
    if (this.oneIn(2)) return String(value);
    const known = this.#conditions.filter((name) => name.startsWith(`$${value}`));
    if (known.length > 0 && this.oneIn(2)) return this.pick(known);
    const name = this.name(`${value}`);
    const [type, given] = this.pick([
      ['Boolean!', value],
      [`Boolean = ${value}`, undefined],
      [`Boolean! = ${!value}`, value],
    ] as const);
    this.definitions.push(`$${name}: ${type}`);
    if (given !== undefined) this.variables.push(`"${name}":${given}`);
    this.#conditions.push(`$${name}`);
    return `$${name}`;
  }
}
