/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  add: ['Add a company', 'Firma anlegen', 'Ajouter une société', 'Añadir una empresa', 'Aggiungi un’azienda', 'Bedrijf toevoegen'],
  empty: ['No companies yet', 'Noch keine Firmen', 'Aucune société', 'Aún no hay empresas', 'Ancora nessuna azienda', 'Nog geen bedrijven'],
  empty_text: [
    'Add the insurers, landlords and garages you deal with, and whom to contact there.',
    'Versicherer, Vermieter, Werkstätten: Hier steht, mit wem Sie zu tun haben und wer dort antwortet.',
    'Assureurs, bailleurs, garages : gardez ici vos interlocuteurs.',
    'Aseguradoras, arrendadores, talleres: guarde aquí con quién trata.',
    'Assicuratori, locatori, officine: tieni qui con chi hai a che fare.',
    'Verzekeraars, verhuurders, garages: bewaar hier met wie u te maken hebt.',
  ],
  items_of_contact: ['Items of {name}', 'Einträge von {name}', 'Éléments de {name}', 'Elementos de {name}', 'Elementi di {name}', 'Items van {name}'],
  title: ['Companies', 'Firmen', 'Sociétés', 'Empresas', 'Aziende', 'Bedrijven'],
};
