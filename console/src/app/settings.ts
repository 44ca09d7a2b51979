import type { Permission } from '../generated/types';
import type { Key } from '../i18n/i18n';
import { may } from './session';

interface Part {
  /** The part of its address after `/settings/`. */
  readonly id: string;
  readonly title: Key;
  /** The right without which it is hidden. */
  readonly permission?: Permission;
}

/** The parts of the settings, in their order. */
export const settingsParts = [
  { id: '', title: 'settings.profile' },
  { id: 'sign-in', title: 'signIn.title' },
  { id: 'people', title: 'settings.people', permission: 'ADMINISTER' },
  { id: 'workspaces', title: 'settings.workspaces' },
  { id: 'tokens', title: 'settings.tokens', permission: 'ADMINISTER' },
  { id: 'organization', title: 'settings.organization', permission: 'ADMINISTER' },
  { id: 'mail', title: 'mail.title', permission: 'ADMINISTER' },
  { id: 'mail-texts', title: 'mailTexts.title', permission: 'ADMINISTER' },
  { id: 'channels', title: 'channels.title', permission: 'ADMINISTER' },
  { id: 'webhooks', title: 'webhooks.title', permission: 'ADMINISTER' },
  { id: 'health', title: 'settings.health' },
] as const satisfies readonly Part[];

/** Lists the parts of the settings that the person may see, with their addresses. */
export const seenSettings = () =>
  settingsParts.flatMap((part) => {
    if ('permission' in part && !may(part.permission)) return [];
    return { id: part.id, title: part.title, href: part.id ? `/settings/${part.id}` : '/settings' };
  });
