import type { ComponentType } from 'preact';
import type { ScreenProps } from '../app/screen';
import { may } from '../app/session';
import type { Permission } from '../generated/types';
import { type Key, t } from '../i18n/i18n';
import '../records/records.css';
import { PageHead } from '../ui/page';
import { Empty } from '../ui/state';
import { ChannelsPart } from './settings/channels';
import { HealthPart } from './settings/health';
import { MailPart } from './settings/mail';
import { MailTextsPart } from './settings/mail-texts';
import { PeoplePart } from './settings/people';
import { OrganizationPart, ProfilePart } from './settings/profile';
import { SignInPart } from './settings/sign-in';
import { Confirmation } from './settings/sign-in/confirm';
import { TokensPart } from './settings/tokens';
import { WebhooksPart } from './settings/webhooks';
import { WorkspacesPart } from './settings/workspaces';
import './settings.css';

interface Part {
  readonly id: string;
  readonly title: Key;
  readonly permission?: Permission;
  readonly Content: ComponentType;
}

const parts: readonly Part[] = [
  { id: '', title: 'settings.profile', Content: ProfilePart },
  { id: 'sign-in', title: 'signIn.title', Content: SignInPart },
  { id: 'people', title: 'settings.people', permission: 'ADMINISTER', Content: PeoplePart },
  { id: 'workspaces', title: 'settings.workspaces', Content: WorkspacesPart },
  { id: 'tokens', title: 'settings.tokens', permission: 'ADMINISTER', Content: TokensPart },
  { id: 'organization', title: 'settings.organization', permission: 'ADMINISTER', Content: OrganizationPart },
  { id: 'mail', title: 'mail.title', permission: 'ADMINISTER', Content: MailPart },
  { id: 'mail-texts', title: 'mailTexts.title', permission: 'ADMINISTER', Content: MailTextsPart },
  { id: 'channels', title: 'channels.title', permission: 'ADMINISTER', Content: ChannelsPart },
  { id: 'webhooks', title: 'webhooks.title', permission: 'ADMINISTER', Content: WebhooksPart },
  { id: 'health', title: 'settings.health', Content: HealthPart },
];

/**
 * Renders the settings, each part at its own address. The parts are oneself and one's sign-in, people,
 * workspaces, tokens, the organization, mail, channels, webhooks and
 * health.
 */
export default function SettingsScreen({ id }: ScreenProps) {
  const seen = parts.filter(({ permission }) => !permission || may(permission));
  const part = seen.find((one) => one.id === id);
  return (
    <>
      <PageHead title={t('settings.title')} />
      <div class="stack">
        <nav class="tabs" aria-label={t('settings.title')}>
          {seen.map((one) => (
            <a
              key={one.id}
              href={one.id ? `/settings/${one.id}` : '/settings'}
              aria-current={one.id === id ? 'page' : undefined}
            >
              {t(one.title)}
            </a>
          ))}
        </nav>
        {part ? <part.Content /> : <Empty icon="search" title={t('common.no_screen')} />}
      </div>
      <Confirmation />
    </>
  );
}
