import type { ComponentChildren } from 'preact';
import { chooseLanguage, type Language, language, languages } from '../../i18n/i18n';

/** Renders the card of a page for people who are not signed in. It offers the languages. */
export function DoorFrame({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <main class="door" id="main" tabIndex={-1}>
      <div class="card stack">
        <img src="/favicon.svg" alt="" width="48" height="48" />
        <div class="stack tight">
          <h1>{title}</h1>
          {lead && <p class="soft">{lead}</p>}
        </div>
        {children}
        <p class="line small">
          {(Object.entries(languages) as [Language, string][]).map(([code, name]) => (
            <button
              key={code}
              type="button"
              class="plainlink"
              lang={code}
              aria-pressed={language.value === code}
              onClick={() => void chooseLanguage(code)}
            >
              {name}
            </button>
          ))}
        </p>
      </div>
    </main>
  );
}
