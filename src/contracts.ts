// Prints both contracts, what the console needs of the resources, .env.example and the table of endpoints in
// docs/use/rest.md: npm run contracts
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { stringify } from 'yaml';
import { envExample } from './config/parse.js';
import { type ImportTarget, listsByImport, targetOf, typeOfColumn } from './csv/import/rows.js';
import { kindOf, type ModelName } from './domain/models.js';
import { mailFields } from './domain/reminders/mail-words.js';
import { snakeCase } from './domain/text/names.js';
import { resources } from './graphql/resources.js';
import { schema } from './graphql/schema.js';
import type { ListKind } from './imports/options.js';
import { type Declared, kindOfColumn, membersOf } from './records/declare/declare.js';
import type { Resource } from './records/resource.js';
import type { OpenApiNode } from './rest/openapi/json-schema.js';
import { openapiDocument } from './rest/openapi/openapi.js';
import { limitsIn, memberRule, readRules } from './rest/openapi/schemas.js';
import { routes } from './rest/routes.js';

/** The folder of the contract files. The repository's readers and the server share it. */
export const contractsFolder = new URL('../schema/', import.meta.url);

/** Returns a kind of records as GraphQL names it: `EXPIRATION_ITEM`. */
const wordOf = (model: ModelName) => snakeCase(kindOf(model)).toUpperCase();

/** Describes a member of an input: its type, and its rules. A member without a type is text. */
function factsOfMember({ name, type }: GraphQLInputField, rules: OpenApiNode): object {
  const named = getNamedType(type);
  return {
    ...(named.name !== 'String' && { type: named.name }),
    ...(isEnumType(named) && { values: named.getValues().map((value) => value.name) }),
    ...(isNonNullType(type) && { required: true }),
    ...(isListType(getNullableType(type)) && { isList: true }),
    ...limitsIn(memberRule(rules, name)),
  };
}

/** Returns the kind of records that a member of an input names; undefined for none. */
function kindNamedBy({ fields, columns }: Declared, { name, type }: GraphQLInputField): string | undefined {
  const [, model] = /^(\w+)Reference$/.exec(getNamedType(type).name) ?? [];
  const linked = resources.find((resource) => resource.model === model);
  if (linked) return wordOf(linked.model);
  const field = fields[name];
  const column = field?.kind === 'link' ? field.column : name;
  const kind = kindOfColumn(fields, columns, column);
  return kind && snakeCase(kind).toUpperCase();
}

/** Lists the words of an enum; none if there is no such enum. */
function wordsOf(name: string): string[] {
  const found = schema.getType(name);
  return isEnumType(found) ? found.getValues().map((value) => value.name) : [];
}

/** Describes lists of a kind: records that filters name, links that may be missing, orders. */
function listFacts(resource: Declared): object {
  const { model, filter, fields, columns } = resource;
  const named = membersOf(filter).flatMap(([name, { column = name, by, type = '', where }]) => {
    const kind = by?.[0] ?? (where ? undefined : kindOfColumn(fields, columns, column));
    return kind && !type.startsWith('[') ? [[name, snakeCase(kind).toUpperCase()] as const] : [];
  });
  return {
    filters: Object.fromEntries(named.sort()),
    none: wordsOf(`${model}Link`).sort(),
    orders: wordsOf(`${model}OrderField`).sort(),
  };
}

/** Describes each kind of records that callers write: its fields and its lists. */
function resourceFacts(): object {
  const facts = resources.flatMap((resource) => {
    const { model, retired } = resource as Declared & Pick<Resource, 'retired'>;
    const input = schema.getType(`Create${model}Input`) as GraphQLInputObjectType | undefined;
    if (!input?.extensions.rules) return [];
    const rules = readRules(input);
    const current = Object.values(input.getFields()).filter((field) => !field.deprecationReason);
    const fields = current.map((field) => {
      const to = kindNamedBy(resource as Declared, field);
      return [field.name, { ...factsOfMember(field, rules), ...(to && { to }) }];
    });
    return [
      [
        wordOf(model),
        {
          fields: Object.fromEntries(fields),
          ...(retired && { retired: { [retired.field]: retired.when } }),
          ...listFacts(resource as Declared),
        },
      ] as const,
    ];
  });
  return Object.fromEntries(facts.sort());
}

/** Returns whether cells of a column have ids, which only our own exports do. */
const hasNumbers = (target: ImportTarget, column: string) =>
  column === 'id' ||
  (/_id$/.test(column) && ['ID', 'UUID', 'Int'].includes(typeOfColumn(target, column) ?? ''));

/** Lists the columns of each kind of imported files. */
function importFacts(): object {
  const kinds = Object.keys(listsByImport) as ListKind[];
  const targets = kinds.map((kind) => targetOf(schema, kind));
  return Object.fromEntries(
    targets.map((target) => {
      const { kind, type, hasCustomFields } = target;
      const columns = [...target.columns].filter(
        (column) => column === 'team_id' || !hasNumbers(target, column),
      );
      return [kind, { of: wordOf(type as ModelName), columns, hasCustomFields }];
    }),
  );
}

/** Collects what the console needs of the gateway's declarations. */
const consoleFacts = () => ({
  resources: resourceFacts(),
  imports: importFacts(),
  mailFields: Object.keys(mailFields),
});

/** Prints both contracts, and the facts for the console, keyed by file name. */
export function printContracts(): Record<string, string> {
  const openapi = openapiDocument(schema);
  return {
    'gateway.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
    'resources.json': `${JSON.stringify(consoleFacts(), null, 1)}\n`,
    'v1.openapi.json': `${JSON.stringify(openapi, null, 2)}\n`,
    'v1.openapi.yaml': stringify(openapi, { aliasDuplicateObjects: false }),
  };
}

/** A path of files in the OpenAPI document, by its methods. */
type FilePath = Readonly<Record<string, { readonly summary: string }>>;

/** Returns a page with the table of endpoints between its markers. */
export function withEndpoints(page: string): string {
  const { paths } = openapiDocument(schema) as { readonly paths: Record<string, FilePath> };
  const routed = new Set(routes.map(({ path }) => path));
  const files = Object.entries(paths).flatMap(([path, operations]) =>
    routed.has(path)
      ? []
      : Object.entries(operations).map(([method, { summary }]) => ({
          method: method.toUpperCase(),
          ...{ path, summary, origin: 'addition' },
        })),
  );
  const rows = [...routes, ...files].map(
    ({ method, path, origin, summary }) => `| ${method} | \`${path}\` | ${origin} | ${summary} |\n`,
  );
  const table = `| Method | Path | Origin | What it does |\n|---|---|---|---|\n${rows.join('')}`;
  return page.replace(/(?<=<!-- endpoints .*-->\n\n)[\s\S]*?(?=\n<!-- end -->)/, () => table);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [name, content] of Object.entries(printContracts())) {
    writeFileSync(new URL(name, contractsFolder), content);
  }
  writeFileSync(new URL('../.env.example', import.meta.url), envExample());
  const page = new URL('../docs/use/rest.md', import.meta.url);
  writeFileSync(page, withEndpoints(readFileSync(page, 'utf8')));
}
