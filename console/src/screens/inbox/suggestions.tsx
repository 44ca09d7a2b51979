import type { DataOf } from '../../data/operation';
import type { Upload } from '../../generated/operations';
import { formatDay } from '../../i18n/dates';
import { formatNumber, t } from '../../i18n/i18n';
import { Badge } from '../../ui/status';

/** An upload that somebody looks at. */
export type OpenUpload = NonNullable<DataOf<typeof Upload>['record']>;

type Suggestion = OpenUpload['suggestions'][number];

/** Returns the dates that were found in a document, each once. */
export const datesIn = ({ suggestions }: OpenUpload): readonly Suggestion[] =>
  suggestions.filter(({ field }) => field === 'EXPIRATION_DATE');

/** Says where in the document a suggestion stands. */
const placeOf = ({ words, page }: Suggestion): string =>
  [words && `“${words}”`, page && page > 1 && t('inbox.page', { n: page })].filter(Boolean).join(' · ');

interface ChoosingProps {
  readonly upload: OpenUpload;
  /** The chosen date. */
  readonly date: string;
  readonly onChoose: (date: string) => void;
}

/** Renders the frames of the dates on the picture of a document. A click takes the date. */
export function Frames({ upload, date, onChoose }: ChoosingProps) {
  return datesIn(upload).map(
    ({ value, box, page }) =>
      box &&
      page === 1 && (
        <button
          key={value}
          type="button"
          class="frame"
          aria-pressed={value === date}
          aria-label={formatDay(value)}
          title={formatDay(value)}
          style={{
            left: `${100 * box.x}%`,
            top: `${100 * box.y}%`,
            width: `${100 * box.width}%`,
            height: `${100 * box.height}%`,
          }}
          onClick={() => onChoose(value)}
        />
      ),
  );
}

/** Renders the dates that were found, to choose one. Arrow keys choose, and Enter files the upload. */
export function FoundDates({ upload, date, onChoose }: ChoosingProps) {
  return (
    <fieldset class="founddates">
      <legend>{t('inbox.found')}</legend>
      {datesIn(upload).map((suggestion) => (
        <label key={suggestion.value}>
          <input
            type="radio"
            name="found"
            checked={suggestion.value === date}
            onChange={() => onChoose(suggestion.value)}
          />
          <span>
            <span class="line">
              <span class="strong num">{formatDay(suggestion.value)}</span>
              <Badge urgency={suggestion.confidence < 85 ? 'near' : 'good'}>
                {t('inbox.certainty', { n: formatNumber(suggestion.confidence) })}
              </Badge>
            </span>
            <span class="soft small block">{placeOf(suggestion)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Renders the number of a document and the name of its holder, if known. */
export function OtherFindings({ upload }: { readonly upload: OpenUpload }) {
  const labels = { DOCUMENT_NUMBER: 'inbox.number', NAME: 'inbox.holder' } as const;
  const others = upload.suggestions.flatMap(({ field, value }) =>
    field === 'DOCUMENT_NUMBER' || field === 'NAME' ? [`${t(labels[field])}: ${value}`] : [],
  );
  return others.length > 0 ? <p class="soft small">{others.join(' · ')}</p> : null;
}
