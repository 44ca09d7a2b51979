import { fillTemplate, isolate, type Language, type MailContent, renderMail, shownName } from './mail.js';

interface LinkTexts {
  readonly title: string;
  readonly action: string;
  /** Advice for people who have not asked for the link. */
  readonly notYou: string;
}

/** Texts of mails with links for signing in, in one language. */
interface SignInTexts {
  readonly link: LinkTexts;
  readonly reset: LinkTexts;
  readonly fields: { readonly name: string; readonly browser: string; readonly address: string };
  /** Sentence about the uses and the lifetime of the link. */
  readonly validity: string;
}

/** Texts of mails with links for signing in, in every language. */
const signInTexts: Readonly<Record<Language, SignInTexts>> = {
  en: {
    link: {
      title: 'Sign in to {{organization}}',
      action: 'Sign in',
      notYou: 'If it was not you who asked for it, ignore this mail. Nobody can sign in without this link.',
    },
    reset: {
      title: 'Choose a new password for {{organization}}',
      action: 'Choose a new password',
      notYou: 'If it was not you who asked for it, ignore this mail. Your password stays as it is.',
    },
    fields: { name: 'Your name', browser: 'Asked for with', address: 'Network address' },
    validity: 'The link works once, within 15 minutes. Anyone who has it can use it, so do not forward it.',
  },
  de: {
    link: {
      title: 'Bei {{organization}} anmelden',
      action: 'Anmelden',
      notYou:
        'Wenn nicht Sie darum gebeten haben, ignorieren Sie diese E-Mail. Ohne diesen Link kann sich niemand anmelden.',
    },
    reset: {
      title: 'Neues Passwort für {{organization}} wählen',
      action: 'Neues Passwort wählen',
      notYou:
        'Wenn nicht Sie darum gebeten haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
    },
    fields: { name: 'Ihr Name', browser: 'Angefordert mit', address: 'Netzwerkadresse' },
    validity:
      'Der Link funktioniert einmal, innerhalb von 15 Minuten. Wer ihn hat, kann ihn benutzen: Leiten Sie ihn nicht weiter.',
  },
  es: {
    link: {
      title: 'Iniciar sesión en {{organization}}',
      action: 'Iniciar sesión',
      notYou: 'Si no lo ha pedido usted, ignore este mensaje. Nadie puede iniciar sesión sin este enlace.',
    },
    reset: {
      title: 'Elija una contraseña nueva para {{organization}}',
      action: 'Elegir una contraseña nueva',
      notYou: 'Si no lo ha pedido usted, ignore este mensaje. Su contraseña no cambia.',
    },
    fields: { name: 'Su nombre', browser: 'Pedido con', address: 'Dirección de red' },
    validity:
      'El enlace funciona una sola vez, durante 15 minutos. Cualquiera que lo tenga puede usarlo: no lo reenvíe.',
  },
  fr: {
    link: {
      title: 'Se connecter à {{organization}}',
      action: 'Se connecter',
      notYou: 'Si vous n’avez rien demandé, ignorez ce message. Personne ne peut se connecter sans ce lien.',
    },
    reset: {
      title: 'Choisir un nouveau mot de passe pour {{organization}}',
      action: 'Choisir un nouveau mot de passe',
      notYou: 'Si vous n’avez rien demandé, ignorez ce message. Votre mot de passe reste le même.',
    },
    fields: { name: 'Votre nom', browser: 'Demandé avec', address: 'Adresse réseau' },
    validity:
      'Le lien fonctionne une seule fois, pendant 15 minutes. Quiconque le possède peut l’utiliser : ne le transférez pas.',
  },
  it: {
    link: {
      title: 'Accedere a {{organization}}',
      action: 'Accedi',
      notYou: 'Se non è stato Lei a chiederlo, ignori questa e-mail. Nessuno può accedere senza questo link.',
    },
    reset: {
      title: 'Scelga una nuova password per {{organization}}',
      action: 'Scegli una nuova password',
      notYou: 'Se non è stato Lei a chiederlo, ignori questa e-mail. La Sua password resta la stessa.',
    },
    fields: { name: 'Il Suo nome', browser: 'Richiesto con', address: 'Indirizzo di rete' },
    validity:
      'Il link funziona una sola volta, entro 15 minuti. Chiunque lo abbia può usarlo: non lo inoltri.',
  },
  nl: {
    link: {
      title: 'Inloggen bij {{organization}}',
      action: 'Inloggen',
      notYou: 'Hebt u hier niet om gevraagd, negeer deze e-mail dan. Niemand kan zonder deze link inloggen.',
    },
    reset: {
      title: 'Kies een nieuw wachtwoord voor {{organization}}',
      action: 'Nieuw wachtwoord kiezen',
      notYou: 'Hebt u hier niet om gevraagd, negeer deze e-mail dan. Uw wachtwoord blijft hetzelfde.',
    },
    fields: { name: 'Uw naam', browser: 'Aangevraagd met', address: 'Netwerkadres' },
    validity:
      'De link werkt één keer, binnen 15 minuten. Iedereen die hem heeft kan hem gebruiken: stuur hem niet door.',
  },
};

/** A link with which one person signs in. */
interface SignInLetter {
  readonly language: Language;
  readonly organization: string;
  readonly userName: string;
  /** True if the link sets a new password. */
  readonly isReset: boolean;
  /** Name of the browser that asked for the link, if it is known. */
  readonly browser: string | null;
  /** Network address that asked for the link. */
  readonly address: string;
  readonly link: string;
}

/** Writes the mail with a link for signing in as subject, text and HTML. */
export function signInMail(letter: SignInLetter): MailContent {
  const { language, isReset, browser, address, link } = letter;
  const texts = signInTexts[language];
  const organization = shownName(language, letter.organization);
  const about = isReset ? texts.reset : texts.link;
  const title = fillTemplate(about.title, { organization: isolate(organization) });
  return renderMail({
    language,
    title,
    reason: `${texts.validity} ${about.notYou}`,
    entries: [
      {
        title,
        facts: [
          { label: texts.fields.name, value: shownName(language, letter.userName) },
          ...(browser === null ? [] : [{ label: texts.fields.browser, value: browser }]),
          { label: texts.fields.address, value: address },
        ],
        links: [{ label: about.action, url: link }],
      },
    ],
  });
}
