/**
 * Paths of the gateway's endpoints, for those who answer, link to or name them. The rows below `/v1` are in
 * `rest/routes.ts`. `{id}` stands for one segment.
 */
export const paths = {
  start: '/',
  graphql: '/graphql',
  rest: '/v1',
  openapi: '/v1/openapi.json',
  openapiYaml: '/v1/openapi.yaml',
  docs: '/docs',
  assets: '/assets/{id}',
  attachment: '/attachments/{id}',
  invitation: '/invitations/{id}',
  mailLink: '/r/{id}',
  live: '/health/live',
  ready: '/health/ready',
  metrics: '/metrics',
} as const;
