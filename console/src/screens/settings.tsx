import type { ComponentType } from 'preact';
import type { ScreenProps } from '../app/screen';
import { seenSettings, type settingsParts } from '../app/settings';
import { t } from '../i18n/i18n';
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

/** The contents of the parts, by their addresses. */
const contents: Readonly<Record<(typeof settingsParts)[number]['id'], ComponentType>> = {
  '': ProfilePart,
  'sign-in': SignInPart,
  people: PeoplePart,
  workspaces: WorkspacesPart,
  tokens: TokensPart,
  organization: OrganizationPart,
  mail: MailPart,
  'mail-texts': MailTextsPart,
  channels: ChannelsPart,
  webhooks: WebhooksPart,
  health: HealthPart,
};

/**
 * Renders the settings, each part at its own address. The parts are oneself and one's sign-in, people,
 * workspaces, tokens, the organization, mail, channels, webhooks and
 * health.
 */
export default function SettingsScreen({ id }: ScreenProps) {
  const seen = seenSettings();
  const part = seen.find((one) => one.id === id);
  const Content = part && contents[part.id];
  return (
    <>
      <PageHead title={t('settings.title')} />
      <div class="stack">
        <nav class="tabs" aria-label={t('settings.title')}>
          {seen.map((one) => (
            <a key={one.id} href={one.href} aria-current={one.id === id ? 'page' : undefined}>
              {t(one.title)}
            </a>
          ))}
        </nav>
        {Content ? <Content /> : <Empty icon="search" title={t('common.no_screen')} />}
      </div>
      <Confirmation />
    </>
  );
}
