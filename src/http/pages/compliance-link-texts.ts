import type { ShownCompliance } from '../../access/compliance-links.js';
import type { HolderKind } from '../../items/holders.js';
import type { Language } from '../../mail/mail.js';

/** Texts of the page that a sticker leads to, in one language. */
interface ComplianceLinkTexts {
  /** Subject of the state. */
  readonly about: string;
  readonly states: Readonly<Record<ShownCompliance['state'], string>>;
  readonly until: string;
  readonly on: string;
  /** Names of records that have none. */
  readonly kinds: Readonly<Record<HolderKind, string>>;
  readonly unknown: string;
  readonly often: string;
  readonly languages: string;
}

/** Texts of the page that a sticker leads to. */
export const complianceLinkTexts: Readonly<Record<Language, ComplianceLinkTexts>> = {
  en: {
    about: 'Required documents',
    states: {
      COMPLIANT: 'Complete',
      DUE: 'Complete, but due soon',
      NON_COMPLIANT: 'Not compliant',
      NOT_REQUIRED: 'Nothing is required',
      RETIRED: 'No longer in use',
    },
    until: 'Complies until',
    on: 'Checked on',
    kinds: { vehicle: 'Vehicle', contact: 'Person', company: 'Company', location: 'Location' },
    unknown: 'This sticker is not valid: its address is incomplete, or it was revoked.',
    often: 'Too many attempts. Please wait a minute.',
    languages: 'Language',
  },
  de: {
    about: 'Pflichtdokumente',
    states: {
      COMPLIANT: 'Vollständig',
      DUE: 'Vollständig, aber bald fällig',
      NON_COMPLIANT: 'Nicht vollständig',
      NOT_REQUIRED: 'Nichts verlangt',
      RETIRED: 'Nicht mehr in Gebrauch',
    },
    until: 'Vollständig bis',
    on: 'Geprüft am',
    kinds: { vehicle: 'Fahrzeug', contact: 'Person', company: 'Firma', location: 'Standort' },
    unknown: 'Dieser Aufkleber gilt nicht: Seine Adresse ist unvollständig, oder er wurde widerrufen.',
    often: 'Zu viele Versuche. Bitte warten Sie eine Minute.',
    languages: 'Sprache',
  },
  es: {
    about: 'Documentos exigidos',
    states: {
      COMPLIANT: 'Completo',
      DUE: 'Completo, pero vence pronto',
      NON_COMPLIANT: 'No conforme',
      NOT_REQUIRED: 'No se exige nada',
      RETIRED: 'Fuera de uso',
    },
    until: 'Cumple hasta',
    on: 'Comprobado el',
    kinds: { vehicle: 'Vehículo', contact: 'Persona', company: 'Empresa', location: 'Lugar' },
    unknown: 'Esta etiqueta no es válida: su dirección está incompleta o fue revocada.',
    often: 'Demasiados intentos. Espere un minuto, por favor.',
    languages: 'Idioma',
  },
  fr: {
    about: 'Documents exigés',
    states: {
      COMPLIANT: 'Complet',
      DUE: 'Complet, mais bientôt dû',
      NON_COMPLIANT: 'Non conforme',
      NOT_REQUIRED: 'Rien n’est exigé',
      RETIRED: 'N’est plus en service',
    },
    until: 'Conforme jusqu’au',
    on: 'Vérifié le',
    kinds: { vehicle: 'Véhicule', contact: 'Personne', company: 'Société', location: 'Lieu' },
    unknown: 'Cette étiquette n’est pas valable : son adresse est incomplète, ou elle a été révoquée.',
    often: 'Trop de tentatives. Veuillez attendre une minute.',
    languages: 'Langue',
  },
  it: {
    about: 'Documenti richiesti',
    states: {
      COMPLIANT: 'Completo',
      DUE: 'Completo, ma in scadenza',
      NON_COMPLIANT: 'Non conforme',
      NOT_REQUIRED: 'Nulla è richiesto',
      RETIRED: 'Non più in uso',
    },
    until: 'Conforme fino al',
    on: 'Verificato il',
    kinds: { vehicle: 'Veicolo', contact: 'Persona', company: 'Azienda', location: 'Luogo' },
    unknown: 'Questa etichetta non è valida: il suo indirizzo è incompleto, oppure è stata revocata.',
    often: 'Troppi tentativi. Attenda un minuto, per favore.',
    languages: 'Lingua',
  },
  nl: {
    about: 'Vereiste documenten',
    states: {
      COMPLIANT: 'Volledig',
      DUE: 'Volledig, maar bijna verlopen',
      NON_COMPLIANT: 'Niet in orde',
      NOT_REQUIRED: 'Niets vereist',
      RETIRED: 'Niet meer in gebruik',
    },
    until: 'In orde tot en met',
    on: 'Gecontroleerd op',
    kinds: { vehicle: 'Voertuig', contact: 'Persoon', company: 'Bedrijf', location: 'Locatie' },
    unknown: 'Deze sticker is niet geldig: het adres is onvolledig, of de sticker is ingetrokken.',
    often: 'Te veel pogingen. Wacht een minuut.',
    languages: 'Taal',
  },
};
