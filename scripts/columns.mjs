/**
 * A generator of Prisma that writes the columns of the models as data (`prisma/generated/columns.ts`). Rows,
 * statements and the GraphQL schema are computed from it.
 */
import { writeFileSync } from 'node:fs';
import helper from '@prisma/generator-helper';

/** Types of columns that Prisma has one name for, and that differ in the schemas. @type {Record<string, string>} */
const nativeTypes = { Uuid: 'UUID', Date: 'Date' };

/** @typedef {import('@prisma/generator-helper').DMMF.Model} Model */
/** @typedef {Model['fields'][number]} Field */

/** Returns the members of a column's literal. @param {Model} model @param {Field} field */
function membersOf(model, field) {
  const key = model.fields.find(({ relationFromFields }) => relationFromFields?.[0] === field.name);
  const { isRequired, isList, hasDefaultValue, isUpdatedAt } = field;
  return [
    `type: '${nativeTypes[field.nativeType?.[0] ?? ''] ?? field.type}'`,
    ...(isRequired ? [] : ['nullable: true']),
    ...(isList ? ['list: true'] : []),
    ...(hasDefaultValue || isUpdatedAt ? ['hasDefault: true'] : []),
    ...(key ? [`to: '${key.type}'`, `onDelete: '${key.relationOnDelete}'`] : []),
  ].join(', ');
}

/** Prints a model's columns. @param {Model} model */
function printModel(model) {
  const columns = model.fields.filter(({ kind }) => kind !== 'object');
  const lines = columns.map((field) => `    ${field.name}: { ${membersOf(model, field)} },\n`);
  return `  ${model.name}: {\n${lines.join('')}  },\n`;
}

const { generatorHandler } = helper;

generatorHandler({
  onManifest: () => ({ prettyName: 'Columns', defaultOutput: '.' }),
  onGenerate: async ({ dmmf: { datamodel }, generator }) => {
    const by = 'Written by scripts/columns.mjs.';
    const models = datamodel.models.map(printModel).join('');
    const enums = datamodel.enums
      .map(({ name, values }) => `  ${name}: [${values.map((value) => `'${value.name}'`).join(', ')}],\n`)
      .join('');
    writeFileSync(
      generator.output?.value ?? '',
      `/** Columns of the models, with what becomes of a row when what it points at is deleted. ${by} */\n` +
        `export const columns = {\n${models}} as const;\n\n` +
        `/** Values of the enums. ${by} */\nexport const enums = {\n${enums}} as const;\n`,
    );
  },
});
