import { isVisible } from '../domain/text/names.js';
import {
  fillTemplate,
  isolate,
  type Language,
  type MailContent,
  oneLine,
  renderMail,
  shownName,
} from './mail.js';
import { wordDate } from './reminder-mail.js';

/** Texts of the invitation mail in one language. */
interface InvitationTexts {
  /** Titles of the mail, with and without a known inviter. */
  readonly title: { readonly by: string; readonly alone: string };
  readonly fields: {
    readonly organization: string;
    readonly name: string;
    readonly until: string;
  };
  readonly accept: string;
  /** Sentence that explains what the link does, and why the recipient gets it. */
  readonly reason: string;
}

/** Texts of invitations in every language. */
const invitationTexts: Readonly<Record<Language, InvitationTexts>> = {
  en: {
    title: {
      by: '{{inviter}} invites you to {{organization}}',
      alone: 'You are invited to {{organization}}',
    },
    fields: { organization: 'Organization', name: 'Your name', until: 'Link valid until' },
    accept: 'Accept the invitation',
    reason:
      'The link works only once. Anyone who has it can use it, so do not forward it. If you do not know {{organization}}, ignore this mail.',
  },
  de: {
    title: {
      by: '{{inviter}} lädt Sie zu {{organization}} ein',
      alone: 'Sie sind zu {{organization}} eingeladen',
    },
    fields: { organization: 'Organisation', name: 'Ihr Name', until: 'Link gilt bis' },
    accept: 'Einladung annehmen',
    reason:
      'Der Link gilt einmal, und für jeden, der ihn hat: Leiten Sie ihn nicht weiter. Wenn Sie {{organization}} nicht kennen, tun Sie nichts.',
  },
  es: {
    title: {
      by: '{{inviter}} le invita a {{organization}}',
      alone: 'Está invitado a {{organization}}',
    },
    fields: { organization: 'Organización', name: 'Su nombre', until: 'El enlace sirve hasta' },
    accept: 'Aceptar la invitación',
    reason:
      'El enlace sirve una vez, y a quien lo tenga: no lo reenvíe. Si no conoce {{organization}}, no haga nada.',
  },
  fr: {
    title: {
      by: '{{inviter}} vous invite à rejoindre {{organization}}',
      alone: 'Vous êtes invité à rejoindre {{organization}}',
    },
    fields: { organization: 'Organisation', name: 'Votre nom', until: 'Lien valable jusqu’au' },
    accept: 'Accepter l’invitation',
    reason:
      'Le lien sert une fois, à quiconque le possède : ne le transférez pas. Si vous ne connaissez pas {{organization}}, ne faites rien.',
  },
  it: {
    title: {
      by: '{{inviter}} la invita in {{organization}}',
      alone: 'È invitato in {{organization}}',
    },
    fields: { organization: 'Organizzazione', name: 'Il suo nome', until: 'Il link vale fino al' },
    accept: 'Accetta l’invito',
    reason:
      'Il link vale una volta, per chiunque lo abbia: non lo inoltri. Se non conosce {{organization}}, non faccia nulla.',
  },
  nl: {
    title: {
      by: '{{inviter}} nodigt u uit voor {{organization}}',
      alone: 'U bent uitgenodigd voor {{organization}}',
    },
    fields: { organization: 'Organisatie', name: 'Uw naam', until: 'Link werkt tot' },
    accept: 'Uitnodiging aannemen',
    reason:
      'De link werkt één keer, voor wie hem heeft: stuur hem niet door. Kent u {{organization}} niet, doe dan niets.',
  },
};

/** An invitation to one person. */
interface InvitationLetter {
  readonly language: Language;
  readonly organization: string;
  readonly userName: string;
  /** Name of the inviting user, if it is known. */
  readonly inviter: string | null;
  /** Last day on which the link works, `YYYY-MM-DD`. */
  readonly until: string;
  readonly link: string;
}

/** Writes an invitation as a mail's subject, text and HTML. */
export function invitationMail(letter: InvitationLetter): MailContent {
  const { language, link, until } = letter;
  const texts = invitationTexts[language];
  const organization = shownName(language, letter.organization);
  const inviter = letter.inviter ?? '';
  const values = { organization: isolate(organization), inviter: isolate(oneLine(inviter)) };
  const title = fillTemplate(isVisible(inviter) ? texts.title.by : texts.title.alone, values);
  return renderMail({
    language,
    title,
    reason: fillTemplate(texts.reason, values),
    entries: [
      {
        title,
        facts: [
          { label: texts.fields.organization, value: organization },
          { label: texts.fields.name, value: shownName(language, letter.userName) },
          { label: texts.fields.until, value: wordDate(language, until) },
        ],
        links: [{ label: texts.accept, url: link }],
      },
    ],
  });
}
