import type { Route } from '../route.js';

/** Rows of /v1 about companies. */
export const companies: readonly Route[] = [
  {
    kind: 'write',
    method: 'POST',
    path: '/v1/companies',
    origin: 'contract',
    field: 'createCompany',
    model: 'CompanyModel',
    errors: ['BAD_REQUEST', 'CONFLICT'],
    tag: 'Companies',
    summary: 'Creates a company.',
    example: { name: 'Maple Ridge Ltd', city: 'Toronto', website: 'https://mapleridge.example' },
  },
  {
    kind: 'read',
    method: 'GET',
    path: '/v1/companies/{id}',
    origin: 'contract',
    field: 'company',
    model: 'CompanyModel',
    errors: ['NOT_FOUND'],
    tag: 'Companies',
    summary: 'Reads a company.',
  },
  {
    kind: 'write',
    method: 'PUT',
    path: '/v1/companies/{id}',
    origin: 'attested',
    field: 'replaceCompany',
    model: 'CompanyModel',
    errors: ['NOT_FOUND'],
    tag: 'Companies',
    summary: 'Replaces a company: a field left out returns to its default.',
    example: { name: 'Maple Ridge Ltd', city: 'Ottawa' },
  },
];
