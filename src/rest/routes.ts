import type { Heading, Route } from '../domain/doors/route.js';
import { resources } from '../generated/resources.js';
import { headingOf, routesOf, type Served } from '../records/declare/endpoints.js';

const isServed = (resource: object): resource is Served => 'rest' in resource && resource.rest !== undefined;

/** The resources that have endpoints. */
export const served: readonly Served[] = resources.filter(isServed);

/** Every route below `/v1`. Nothing else is routed there. */
export const routes: readonly Route[] = served.flatMap(routesOf);

const headings: readonly Heading[] = served.map(headingOf);

/** The headings of all resources, merged. */
export const reference = {
  about: Object.assign({}, ...headings.map(({ about }) => about)),
  records: Object.assign({}, ...headings.map(({ records }) => records)),
  terms: Object.assign({}, ...headings.map(({ terms }) => terms)),
} as Required<Heading>;
