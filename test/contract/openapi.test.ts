import { Validator } from '@seriousme/openapi-schema-validator';
import { buildSchema, type GraphQLInputObjectType, GraphQLObjectType, GraphQLString } from 'graphql';
import { describe, expect, it } from 'vitest';
import { roles } from '../../src/domain/caller.js';
import { exportKinds, exportPath } from '../../src/domain/doors/paths.js';
import { errorKinds } from '../../src/domain/errors.js';
import { parsePatch } from '../../src/domain/patch/patch.js';
import { limits } from '../../src/domain/rules.js';
import { createComponents } from '../../src/rest/openapi/json-schema.js';
import { createSchemas } from '../../src/rest/openapi/schemas.js';
import { contractModels, exportedList, modelOf, routes, showsFiles } from '../../src/rest/routes.js';
import { acceptedBodies, createAjv, document, operationOf, type Part, resolve } from '../support/openapi.js';
import { isList, parametersOf } from './requests.js';
import { rows } from './rows.js';

const { schemas } = document.components;
const lists = rows.filter(isList);

const ajv = createAjv({ schemas });

/** Returns what is wrong with a value by a schema of the document; null when nothing is. */
function problemsOf(value: unknown, schema: object): string | null {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
  const validate = ajv.compile(JSON.parse(text));
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

describe('the document', () => {
  it('is OpenAPI 3.1 by its meta-schema, and every reference leads somewhere', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it.each(Object.keys(schemas))('has a JSON Schema without idle words for %s', (name) => {
    const ajv = createAjv({ schemas });
    expect(ajv.getSchema(`document#/components/schemas/${name}`)).toBeTypeOf('function');
  });

  it('has every route of the table, and nothing else', () => {
    const documented = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, tags, 'x-origin': origin }]) => [
        method.toUpperCase(),
        path,
        operationId,
        origin,
        ...tags,
      ]),
    );
    const routed = routes.map(({ method, path, field, operation, origin, tag }) => [
      method,
      path,
      operation ?? field,
      origin,
      tag,
    ]);
    const exported = exportKinds.map((kind) => {
      const id = `export${kind[0]?.toUpperCase()}${kind.slice(1)}`;
      return ['GET', exportPath(kind), id, 'addition', exportedList(kind).tag];
    });
    const imports = [
      ['GET', '/v1/imports', 'imports'],
      ['POST', '/v1/imports', 'createImport'],
      ['GET', '/v1/imports/{id}', 'import'],
      ['POST', '/v1/imports/{id}/run', 'runImport'],
      ['POST', '/v1/imports/{id}/cancel', 'cancelImport'],
      ['POST', '/v1/imports/{id}/undo', 'undoImport'],
      ['GET', '/v1/imports/{id}/result.csv', 'importResult'],
      ['GET', '/v1/imports/template.xlsx', 'importTemplate'],
    ].map((row) => [...row, 'addition', 'Imports']);
    const workspaces = [
      ['GET', '/v1/exports', 'listTeamExports'],
      ['POST', '/v1/exports', 'createTeamExport'],
      ['GET', '/v1/exports/{id}', 'teamExport'],
      ['DELETE', '/v1/exports/{id}', 'deleteTeamExport'],
      ['GET', '/v1/exports/{id}/workspace.zip', 'downloadTeamExport'],
    ].map((row) => [...row, 'addition', 'Exports']);
    const resumable = [
      ['POST', '/v1/resumable-uploads', 'createResumableUpload'],
      ['GET', '/v1/resumable-uploads/{id}', 'resumableUpload'],
      ['PATCH', '/v1/resumable-uploads/{id}', 'appendToResumableUpload'],
      ['DELETE', '/v1/resumable-uploads/{id}', 'deleteResumableUpload'],
    ].map((row) => [...row, 'addition', 'Resumable uploads']);
    const digests = [
      ['GET', '/v1/digests/{id}', 'digestSetting'],
      ['PUT', '/v1/digests/{id}', 'setDigestSetting'],
      ['DELETE', '/v1/digests/{id}', 'deleteDigestSetting'],
    ].map((row) => [...row, 'addition', 'Digests']);
    const requests = [
      ['POST', '/v1/documentrequests/bulk', 'createManyDocumentRequests'],
      ['GET', '/v1/documentrequests/counts', 'documentRequestCounts'],
    ].map((row) => [...row, 'addition', 'Document requests']);
    const compliance = [
      ['vehicles', 'Vehicle'],
      ['contacts', 'Contact'],
      ['companies', 'Company'],
      ['locations', 'Location'],
    ].flatMap(([path, kind]) => [
      ['GET', `/v1/compliance/${path}/{id}`, `complianceOf${kind}`, 'addition', 'Compliance'],
      ['GET', `/v1/compliance/${path}`, `complianceOf${kind}ByKey`, 'addition', 'Compliance'],
    ]);
    const others = [exported, imports, digests, workspaces, resumable, requests, compliance].flat();
    expect(documented.sort()).toEqual([...routed, ...others].sort());
  });

  it('has includeFileContent wherever files are shown', () => {
    const taking = routes.filter(({ method, path }) => {
      const { parameters = [] } = operationOf(method, path);
      return parameters.some((parameter: object) => resolve(parameter).name === 'includeFileContent');
    });
    expect(taking).toEqual(routes.filter((route) => showsFiles(route) !== undefined));
  });

  it('has no operation id twice', () => {
    const ids = Object.values<object>(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(Object.entries(contractModels))('has every member of %s, always there', (name, { members }) => {
    expect(Object.keys(schemas[name].properties)).toEqual(members);
    expect(schemas[name].required).toEqual(members);
  });

  it('says what every member is', () => {
    const silent = Object.entries<{ properties?: Record<string, { description?: string }> }>(schemas).flatMap(
      ([name, { properties = {} }]) =>
        Object.entries(properties)
          .filter(([, { description }]) => !description)
          .map(([member]) => `${name}.${member}`),
    );
    expect(silent).toEqual([]);
  });

  it('shows the types of the contract', () => {
    const { id, year, msrp, modified, team_id, assigned_to, custom_fields } = schemas.VehicleModel.properties;
    expect(id).toMatchObject({ type: 'string', format: 'uuid' });
    expect(team_id).toMatchObject({ type: 'string', format: 'uuid' });
    expect(year).toMatchObject({ type: ['integer', 'null'], format: 'int32' });
    expect(msrp).toMatchObject({ type: ['number', 'null'], format: 'double' });
    expect(modified).toMatchObject({ type: 'string', format: 'date-time' });
    expect(assigned_to.anyOf).toEqual([{ $ref: '#/components/schemas/UserModel' }, { type: 'null' }]);
    expect(custom_fields).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/CustomFieldModel' },
    });
  });

  it('shows the words of an enum as the contract spells them', () => {
    const gateway = buildSchema(
      'type User { name: Role! } enum Role { reader writer } type Query { me: User }',
    );
    const components = createComponents();
    const type = new GraphQLObjectType({ name: 'UserModel', fields: { name: { type: GraphQLString } } });
    createSchemas(gateway, components).present(type);
    expect(components.all()).toHaveProperty('schemas.UserModel.properties.name', {
      anyOf: [{ type: 'string', enum: ['reader', 'writer'] }, { type: 'null' }],
    });
  });

  it('limits what callers write, and lets every member of a vehicle be left out or null', () => {
    for (const name of ['CreateVehicleInput', 'ReplaceVehicleInput']) {
      const { required, properties } = schemas[name];
      expect(required).toBeUndefined();
      expect(properties.name).toMatchObject({ type: ['string', 'null'], maxLength: limits.line });
      expect(properties.custom_fields.anyOf).toMatchObject([{ maxItems: limits.entries }, { type: 'null' }]);
      const written = modelOf('VehicleModel').members.filter((member) => member !== 'modified');
      expect(written.filter((member) => !(member in properties))).toEqual(
        name === 'CreateVehicleInput' ? [] : ['id'],
      );
    }
    expect(schemas.CustomFieldInput.properties.value).toMatchObject({ maxLength: limits.customFieldValue });
  });

  it('requires what the type requires, and what the contract requires beyond it', () => {
    const gateway = buildSchema('input Renewal { date: String! detailText: String note: String }');
    const { members } = createSchemas(gateway, createComponents());
    const type = gateway.getType('Renewal') as GraphQLInputObjectType;
    expect(members(type, {}, ['detail_text'])).toEqual({
      type: 'object',
      required: ['detail_text', 'date'],
      properties: {
        date: { type: 'string', maxLength: limits.line },
        detail_text: { type: 'string', maxLength: limits.line },
        note: { type: ['string', 'null'], maxLength: limits.line },
      },
    });
  });

  it('takes a patch as long as the code does', () => {
    const { maxItems } = schemas.PatchDocument;
    const operations = Array.from({ length: maxItems }, () => ({ op: 'remove', path: '/name' }));
    expect(parsePatch(operations)).toHaveLength(maxItems);
    expect(() => parsePatch([...operations, operations[0]])).toThrow(String(maxItems));
  });

  it('has the members of a patch operation that the contract lists', () => {
    const members = Object.keys(schemas.PatchOperation.properties).sort();
    expect(members).toEqual(['from', 'op', 'operationType', 'path', 'value']);
    expect(schemas.PatchOperation.required.sort()).toEqual(['op', 'path']);
  });

  it('asks for a token everywhere, and says what each role may do', () => {
    expect(document.security).toEqual([{ accessToken: [] }]);
    const { scheme, description } = document.components.securitySchemes.accessToken;
    expect(scheme).toBe('bearer');
    for (const role of roles) expect(description).toContain(`\`${role.toLowerCase()}\``);
  });

  it.each(routes)('has every error that the contract names for $method $path', ({ method, path, errors }) => {
    const { responses } = operationOf(method, path);
    for (const code of errors) expect(resolve(responses[errorKinds[code].status])).toBeDefined();
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '500', '503']));
  });

  describe.each(lists)('GET $path', (row) => {
    const { path, parameters = {} } = row;
    type Parameter = { readonly in: string; readonly name: string; readonly 'x-origin'?: string };
    const described: (Parameter & { readonly schema: { readonly default?: unknown } })[] = operationOf(
      'GET',
      path,
    )
      .parameters.map(resolve)
      .filter((parameter: Parameter) => parameter.in === 'query');
    const defaultsOf = (origin: string | undefined) =>
      Object.fromEntries(
        described
          .filter((parameter) => parameter['x-origin'] === origin)
          .map(({ name, schema }) => [name, schema.default ?? '']),
      );

    it('has exactly the parameters of its row, with their defaults', () => {
      expect(defaultsOf(undefined)).toEqual(parameters);
    });

    it('marks those of every list that its row does not name, and those that are ours', () => {
      const ours = Object.entries(parametersOf(row)).filter(([name]) => !(name in parameters));
      expect(defaultsOf('addition')).toEqual(Object.fromEntries(ours));
    });
  });

  it('has one media type for each request body, which clients cannot mix up with another', () => {
    const bodies = Object.values<Part>(document.paths).flatMap((item) =>
      Object.values<Part>(item).flatMap(({ operationId, requestBody }) =>
        requestBody ? [[operationId, Object.keys(requestBody.content)] as const] : [],
      ),
    );
    expect(bodies.length).toBeGreaterThan(30);
    expect(bodies.filter(([, types]) => types.length !== 1)).toEqual([]);
  });

  it.each(routes)('has examples of $method $path, valid by their schemas', (route) => {
    const { requestBody, responses, parameters = [] } = operationOf(route.method, route.path);
    const answers = Object.values(responses).map((response) => resolve(response));
    for (const [type, { schema, example }] of [requestBody, ...answers].flatMap(acceptedBodies)) {
      const hint = `${type}: npx vitest run test/contract/examples.test.ts -u, then npm run contracts`;
      expect(example, hint).toBeDefined();
      expect(problemsOf(example, schema)).toBeNull();
    }
    for (const { name, example, schema } of parameters.map(resolve)) {
      const [value] = [example, ...(schema.examples ?? [])].filter((given) => given !== undefined);
      expect(value, name).toBeDefined();
      expect(problemsOf(value, schema), name).toBeNull();
    }
    for (const [name, header] of answers.flatMap(({ headers = {} }) => Object.entries(headers))) {
      const { schema, example } = resolve(header);
      expect(problemsOf(example, schema), name).toBeNull();
    }
  });
});
