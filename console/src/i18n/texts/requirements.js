/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  COMPANY: ['Companies', 'Firmen', 'Sociétés', 'Empresas', 'Aziende', 'Bedrijven'],
  CONTACT: ['People', 'Personen', 'Personnes', 'Personas', 'Persone', 'Personen'],
  LOCATION: ['Locations', 'Standorte', 'Lieux', 'Lugares', 'Luoghi', 'Locaties'],
  VEHICLE: ['Vehicles', 'Fahrzeuge', 'Véhicules', 'Vehículos', 'Veicoli', 'Voertuigen'],
  add: ['Add a requirement', 'Anforderung anlegen', 'Ajouter une exigence', 'Añadir un requisito', 'Aggiungi un requisito', 'Vereiste toevoegen'],
  empty: ['No requirements yet', 'Noch keine Anforderungen', 'Aucune exigence', 'Aún no hay requisitos', 'Ancora nessun requisito', 'Nog geen vereisten'],
  empty_text: [
    'Say which documents each vehicle, person, company or location must have. The gateway then says what is missing.',
    'Legen Sie fest, welche Dokumente jedes Fahrzeug, jede Person, Firma oder jeder Standort braucht. Dann sehen Sie, was fehlt.',
    'Indiquez les documents exigés pour chaque véhicule, personne, société ou lieu. Vous verrez alors ce qui manque.',
    'Indique qué documentos debe tener cada vehículo, persona, empresa o lugar. Así verá lo que falta.',
    'Indichi quali documenti deve avere ogni veicolo, persona, azienda o luogo. Così vedrà che cosa manca.',
    'Geef aan welke documenten elk voertuig, elke persoon, elk bedrijf of elke locatie moet hebben. Dan ziet u wat ontbreekt.',
  ],
  for_some: ['Only for some', 'Nur für einige', 'Seulement pour certains', 'Solo para algunos', 'Solo per alcuni', 'Alleen voor sommige'],
  grace_days_hint: ['Days from the day a record is added.', 'Tage ab dem Anlegen.', 'Jours à partir de l’ajout.', 'Días desde que se añade.', 'Giorni dall’aggiunta.', 'Dagen vanaf het toevoegen.'],
  title: ['Requirements', 'Anforderungen', 'Exigences', 'Requisitos', 'Requisiti', 'Vereisten'],
  valid_days_hint: ['0 if valid on the day itself is enough.', '0, wenn es am Tag selbst genügt.', '0 si le jour même suffit.', '0 si basta el mismo día.', '0 se basta il giorno stesso.', '0 als de dag zelf genoeg is.'],
};
