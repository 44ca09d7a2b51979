import { resources } from '../../generated/resources.js';
import { defineRecords } from '../define/records.js';

for (const resource of resources)
  if ('fields' in resource && 'filter' in resource) defineRecords(resource as never);
