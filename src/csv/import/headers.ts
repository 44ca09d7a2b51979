/** Headers in other words and languages, by the columns that they stand for. */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  id: ['uuid', 'identifier'],
  name: ['title', 'bezeichnung', 'nom', 'nombre', 'nome', 'naam', 'titel', 'titre', 'título', 'titolo'],
  expiration_date: [
    ...['expires', 'expires on', 'expiry', 'expiry date', 'due date', 'valid until', 'end date'],
    ...['valid to', 'valid till', 'renewal date', 'due', 'next due'],
    ...[
      'ablaufdatum',
      'gültig bis',
      'läuft ab am',
      'fällig am',
      'ablauf',
      'läuft ab',
      'fällig',
      'fälligkeit',
    ],
    ...['gültigkeit', 'nächster termin', 'nächste fälligkeit'],
    ...["date d'expiration", "date d'échéance", "valable jusqu'au", 'expiration', 'échéance', 'expire le'],
    ...['fecha de vencimiento', 'vence el', 'válido hasta', 'vencimiento', 'fecha de caducidad', 'caducidad'],
    ...['caduca el', 'vence', 'caduca', 'data di scadenza', 'scadenza', 'valido fino al', 'scade il'],
    ...['vervaldatum', 'verloopt op', 'geldig tot', 'verloopt'],
  ],
  notice_date: [
    ...['notice', 'notice by', 'last day to give notice', 'cancel by', 'cancellation date', 'kündbar bis'],
    ...['kündigungstermin', 'letzter kündigungstag', 'date limite de préavis', 'préavis', 'preaviso'],
    ...['fecha de preaviso', 'preavviso', 'disdetta entro', 'opzegdatum', 'opzeggen voor'],
  ],
  notice_rule: [
    ...['notice period', 'cancellation period', 'kündigungsfrist', 'délai de préavis', 'plazo de preaviso'],
    ...['termine di preavviso', 'opzegtermijn'],
  ],
  time_of_day: ['time', 'uhrzeit', 'heure', 'hora', 'ora', 'tijd'],
  details: [
    ...['notes', 'note', 'description', 'comment', 'comments', 'beschreibung', 'notizen', 'bemerkung'],
    ...['remarks', 'bemerkungen', 'notiz', 'anmerkung', 'kommentar', 'hinweis', 'remarques', 'remarque'],
    ...['commentaire', 'notas', 'descripción', 'observaciones', 'comentarios', 'comentario', 'descrizione'],
    ...['opmerkingen', 'omschrijving', 'opmerking'],
  ],
  category_name: [
    ...['category', 'document type', 'type', 'kategorie', 'dokumenttyp', 'dokumentart', 'catégorie'],
    ...['type de document', 'categoría', 'tipo de documento', 'categoria', 'tipo di documento', 'categorie'],
    ...['documenttype', 'art', 'typ', 'tipo', 'soort', 'document kind', 'kind'],
  ],
  assigned_to: [
    ...['assignee', 'responsible', 'responsible person', 'person responsible', 'owner', 'zuständig'],
    ...['verantwortlich', 'verantwortlicher', 'verantwortliche', 'zuständige person', 'bearbeiter'],
    ...['responsable', 'assigné à', 'asignado a', 'encargado', 'responsabile', 'assegnato a'],
    ...['verantwoordelijke', 'toegewezen aan'],
  ],
  is_active: ['active', 'aktiv', 'actif', 'activo', 'attivo', 'actief'],
  is_archived: ['archived', 'archiviert', 'archivé', 'archivado', 'archiviato', 'gearchiveerd'],
  contacts: ['people', 'kontakte', 'contactos', 'contatti', 'contacten'],
  contact_email: [
    ...['contact', 'main contact', 'contact e-mail', 'kontakt', 'hauptkontakt', 'contact principal'],
    ...['contacto', 'contacto principal', 'contatto', 'contatto principale', 'hoofdcontact'],
  ],
  locations: [
    'location',
    'place',
    'ort',
    'orte',
    'standort',
    'standorte',
    'lieu',
    'lieux',
    'lugar',
    'lugares',
    'luogo',
    'luoghi',
    'plaats',
    'locatie',
    'locaties',
    'emplacement',
    'ubicación',
  ],
  tags: ['labels', 'schlagworte', 'étiquettes', 'etiquetas', 'etichette', 'trefwoorden', 'tag'],
  holders: [
    ...['holder', 'paper of', 'belongs to', 'inhaber', 'halter', 'gehört zu', 'titulaire', 'titular'],
    ...['titolare', 'intestatario', 'houder'],
  ],
  holder_vehicle: [
    ...[
      'vehicle',
      'plate',
      'number plate',
      'license plate',
      'licence plate',
      'vin',
      'fahrzeug',
      'kennzeichen',
      'véhicule',
    ],
    ...['immatriculation', 'vehículo', 'matrícula', 'veicolo', 'targa', 'voertuig', 'kenteken'],
    ...['fahrgestellnummer'],
  ],
  holder_contact: [
    ...['person', 'employee', 'driver', 'mitarbeiter', 'mitarbeiterin', 'fahrer', 'employé', 'salarié'],
    ...['conducteur', 'persona', 'empleado', 'conductor', 'dipendente', 'autista', 'persoon', 'medewerker'],
    ...['bestuurder'],
  ],
  holder_company: [
    ...['company', 'firma', 'unternehmen', 'entreprise', 'société', 'empresa', 'azienda', 'bedrijf'],
  ],
  holder_location: ['premises', 'betriebsstätte', 'sede', 'vestiging'],
  team_id: [
    'workspace',
    'arbeitsbereich',
    'espace de travail',
    'espacio de trabajo',
    'area di lavoro',
    'werkruimte',
  ],
  email: [
    ...['e-mail', 'mail', 'email address', 'e-mail-adresse', 'courriel', 'adresse e-mail', 'correo'],
    ...['correo electrónico', 'indirizzo e-mail', 'posta elettronica', 'e-mailadres'],
  ],
  timezone: ['time zone', 'zeitzone', 'fuseau horaire', 'zona horaria', 'fuso orario', 'tijdzone'],
  mobile: ['mobile phone', 'cell', 'handy', 'mobiltelefon', 'portable', 'móvil', 'cellulare', 'mobiel'],
  phone: ['telephone', 'tel', 'telefon', 'téléphone', 'teléfono', 'telefono', 'telefoon'],
  vin: [
    'vehicle identification number',
    'fahrgestellnummer',
    'fin',
    'numéro de châssis',
    'bastidor',
    'telaio',
    'chassisnummer',
  ],
  license_plate: [
    ...[
      'plate',
      'number plate',
      'licence plate',
      'registration',
      'kennzeichen',
      'immatriculation',
      'plaque',
      'matrícula',
    ],
    ...['targa', 'kenteken'],
  ],
  year: ['model year', 'baujahr', 'année', 'año', 'anno', 'bouwjaar'],
  make: ['manufacturer', 'brand', 'hersteller', 'marke', 'marque', 'marca', 'merk'],
  model: ['modell', 'modèle', 'modelo', 'modello'],
  color: ['colour', 'farbe', 'couleur', 'kleur', 'colore'],
  msrp: ['price', 'list price', 'preis', 'prix', 'precio', 'prezzo', 'prijs'],
  primary_meter_reading: [
    'odometer',
    'mileage',
    'kilometerstand',
    'kilométrage',
    'kilometraje',
    'chilometraggio',
  ],
  parent_location_id: ['parent', 'parent id'],
  path: ['full path', 'location path', 'pfad', 'chemin', 'ruta', 'percorso', 'pad'],
  doing_business_as: ['trading name', 'dba'],
  website: ['url', 'web', 'homepage', 'site web', 'sitio web', 'sito web'],
  address_line_1: [
    'address',
    'street',
    'adresse',
    'straße',
    'rue',
    'dirección',
    'calle',
    'indirizzo',
    'via',
    'adres',
    'straat',
  ],
  address_line_2: ['address 2', 'adresszusatz'],
  city: ['town', 'stadt', 'ville', 'ciudad', 'città', 'stad', 'plaatsnaam'],
  province: ['state', 'region', 'bundesland', 'région', 'provincia', 'provincie'],
  postal_code: ['zip', 'zip code', 'postcode', 'plz', 'postleitzahl', 'code postal', 'código postal', 'cap'],
  tax_id: [
    'vat',
    'vat number',
    'tax number',
    'steuernummer',
    'ust-idnr',
    'numéro de tva',
    'nif',
    'partita iva',
    'btw-nummer',
  ],
  custom_fields: ['fields', 'felder', 'champs', 'campos', 'campi', 'velden'],
};

/** Headers that mean the name of a paper, unless another one means it more. */
const paperNames = ['document', 'paper', 'dokument', 'papier', 'unterlage', 'documento'];

/** Folds a header for comparison: letters and digits only, without accents, in lower case. */
export const foldHeader = (header: string): string =>
  header
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Returns whether a header is one of the words for a column. */
export const meansColumn = (header: string, column: string): boolean =>
  [column, ...(synonyms[column] ?? [])].some((word) => foldHeader(word) === foldHeader(header));

const foldedPaperNames = new Set(paperNames.map(foldHeader));

/** Returns whether a header may mean the name of a paper. */
export const isPaperName = (header: string): boolean => foldedPaperNames.has(foldHeader(header));

const words = [...Object.keys(synonyms), ...Object.values(synonyms).flat(), ...paperNames];

const known = new Set(words.map(foldHeader));

/** The most characters of a header that is worth looking at. A cell of a million would exhaust the stack of a pattern. */
const maxHeaderLength = 200;

/** Returns whether a text looks like the header of some kind of records. */
export const isKnownHeader = (text: string): boolean =>
  text.length <= maxHeaderLength &&
  (known.has(foldHeader(text)) || /^custom:|^[a-z]+(_[a-z0-9]+)+$/.test(text.trim()));
