import { addressOf } from '../app/addresses';
import { hasTeams } from '../app/session';
import { AppliesEditor, appliesText, readAppliesDraft, sentApplies } from '../compliance/applies';
import { findCategories } from '../data/options';
import { requirementDocuments } from '../generated/operations/requirement';
import { t, totalOf } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { LinksCard } from '../records/aside';
import { recordScreen } from '../records/record-screen';
import { LinkButton } from '../ui/button';
import { Badge } from '../ui/status';

/** Renders requirements: which documents vehicles, people, companies and locations must have. */
export default recordScreen({
  kind: 'REQUIREMENT',
  documents: requirementDocuments,
  fields: [
    'name',
    { name: 'holderKind', isNeeded: true, order: ['VEHICLE', 'CONTACT', 'COMPANY', 'LOCATION'] },
    {
      type: 'records',
      name: 'anyOf',
      find: findCategories,
      // Types that the caller does not see stay.
      chosen: ({ anyOf, categories }) =>
        anyOf.map((id) => ({ id, label: categories.find((type) => type.id === id)?.name ?? '…' })),
      sent: ({ id }) => id,
    },
    { name: 'validDays', hint: 'requirements.valid_days_hint' },
    { name: 'graceDays', hint: 'requirements.grace_days_hint' },
    'needsFile',
    'allowNoDate',
    { name: 'askTo', hint: 'requirements.ask_to_hint', order: ['HOLDER', 'MAIN_CONTACT', 'ASSIGNEE'] },
    'askDaysBefore',
    'askEveryDays',
    'isActive',
    {
      type: 'own',
      name: 'applies',
      read: readAppliesDraft,
      send: sentApplies,
      words: appliesText,
      Editor: AppliesEditor,
    },
  ],
  columns: [
    'name',
    {
      label: 'fields.holderKind',
      order: 'HOLDER_KIND',
      text: ({ holderKind }) => t(`requirements.${holderKind}`),
    },
    {
      label: 'fields.anyOf',
      text: ({ categories }) => categories.map(({ name }) => name).join(', '),
      class: 'roomy',
    },
    { label: 'fields.team', text: ({ team }) => team?.name, class: 'roomy', isFor: hasTeams },
  ],
  beside: ({ applies }) =>
    Object.keys(applies ?? {}).length > 0 && <Badge>{t('requirements.for_some')}</Badge>,
  aside: ({ id, holderKind, categories }) => (
    <>
      <LinksCard
        title={t('types.title')}
        total={totalOf(categories.length)}
        links={categories.map((type) => ({
          id: type.id,
          label: shownName(type.name),
          href: addressOf('CATEGORY', type.id),
        }))}
      />
      <p>
        <LinkButton icon="shield" href={`/compliance?kind=${holderKind}&requirement=${id}`}>
          {t('compliance.who_lacks')}
        </LinkButton>
      </p>
    </>
  ),
});
