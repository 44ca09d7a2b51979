import { v5 as uuidv5 } from 'uuid';

/** Namespace of the ids in the first organization (RFC 9562 §5.5). */
const firstNamespace = '5b3f6c1e-4d0a-4f0b-9c57-2f6d1a8e7b40';

/** A kind of record that the demo has. */
export type DemoKind =
  | 'user'
  | 'team'
  | 'contactType'
  | 'category'
  | 'field'
  | 'tag'
  | 'location'
  | 'contact'
  | 'company'
  | 'vehicle'
  | 'item'
  | 'attachment'
  | 'renewal'
  | 'note'
  | 'upload'
  | 'request'
  | 'event'
  | 'policy'
  | 'requirement'
  | 'step'
  | 'delivery'
  | 'acknowledgement';

/**
 * Derives the id of a demo record from its name. In the first organization it is always the same, so that the
 * examples of the reference find it; elsewhere the organization's id is the namespace.
 */
export function demoId(kind: DemoKind, name: string, namespace = firstNamespace): string {
  return uuidv5(`${kind}: ${name}`, namespace);
}

/** Names of the demo's workspaces. Their ids follow from them. */
export const demoWorkspaces = ['Demo', 'Demo branch'] as const;

/**
 * Returns whether a workspace is one of the demo, even if it was renamed. Its people are fictitious, so
 * nobody writes to them.
 */
export function isDemoWorkspace(teamId: string, organizationId: string): boolean {
  return demoWorkspaces.some((name) =>
    [demoId('team', name), demoId('team', name, organizationId)].includes(teamId),
  );
}
