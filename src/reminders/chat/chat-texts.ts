import type { Language } from '../../mail/mail.js';

/** Texts of messages to chat channels, in one language. */
interface ChatTexts {
  readonly test: { readonly title: string; readonly text: string };
  /** Message about a mail that could not be delivered. */
  readonly failed: { readonly title: string; readonly text: string };
  /** Label of the link to the console. */
  readonly open: string;
}

/** Texts of messages to chat channels, in every language. */
export const chatTexts: Readonly<Record<Language, ChatTexts>> = {
  en: {
    test: { title: 'Messages arrive here', text: 'This is a test. Reminders will look like this.' },
    failed: { title: 'A message could not be delivered', text: '{{address}}: {{reason}}' },
    open: 'Open',
  },
  de: {
    test: { title: 'Nachrichten kommen hier an', text: 'Das ist ein Test. So werden Erinnerungen aussehen.' },
    failed: { title: 'Eine Nachricht konnte nicht zugestellt werden', text: '{{address}}: {{reason}}' },
    open: 'Öffnen',
  },
  fr: {
    test: { title: 'Les messages arrivent ici', text: 'Ceci est un test. Les rappels ressembleront à ceci.' },
    failed: { title: 'Un message n’a pas pu être remis', text: '{{address}} : {{reason}}' },
    open: 'Ouvrir',
  },
  es: {
    test: { title: 'Los mensajes llegan aquí', text: 'Esto es una prueba. Así serán los recordatorios.' },
    failed: { title: 'No se ha podido entregar un mensaje', text: '{{address}}: {{reason}}' },
    open: 'Abrir',
  },
  it: {
    test: { title: 'I messaggi arrivano qui', text: 'Questa è una prova. I promemoria saranno così.' },
    failed: { title: 'Non è stato possibile consegnare un messaggio', text: '{{address}}: {{reason}}' },
    open: 'Apri',
  },
  nl: {
    test: { title: 'Berichten komen hier aan', text: 'Dit is een test. Zo zien herinneringen eruit.' },
    failed: { title: 'Een bericht kon niet worden bezorgd', text: '{{address}}: {{reason}}' },
    open: 'Openen',
  },
};
