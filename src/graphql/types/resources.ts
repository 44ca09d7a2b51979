import { resources } from '../../generated/resources.js';
import { type DeclaredResource, defineRecords } from '../define/records.js';

/** Tells if a resource declares its fields. The others declare endpoints alone, and have a file of their own here. */
const isDeclared = (resource: object): resource is DeclaredResource =>
  'fields' in resource && 'filter' in resource;

for (const resource of resources) if (isDeclared(resource)) defineRecords(resource);
