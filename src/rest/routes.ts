import { resources } from '../generated/rows.js';
import type { Heading, Route } from './route.js';

/** Every route below `/v1`. Nothing else is routed there. */
export const routes: readonly Route[] = resources.flatMap(({ rows }) => rows);

const headings: readonly Heading[] = resources.map(({ heading }) => heading);

/** The headings of all resources, merged. */
export const reference = {
  about: Object.assign({}, ...headings.map(({ about }) => about)),
  records: Object.assign({}, ...headings.map(({ records }) => records)),
  terms: Object.assign({}, ...headings.map(({ terms }) => terms)),
} as Required<Heading>;
