/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  add: ['Add a company', 'Firma anlegen', 'Ajouter une société', 'Añadir una empresa', 'Aggiungi un’azienda', 'Bedrijf toevoegen'],
  address: ['Address', 'Adresse', 'Adresse', 'Dirección', 'Indirizzo', 'Adres'],
  address_2: ['Address, second line', 'Adresse, zweite Zeile', 'Adresse, deuxième ligne', 'Dirección, segunda línea', 'Indirizzo, seconda riga', 'Adres, tweede regel'],
  contact: ['Main contact', 'Hauptkontakt', 'Contact principal', 'Contacto principal', 'Contatto principale', 'Hoofdcontact'],
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
  postal_code: ['Postal code', 'Postleitzahl', 'Code postal', 'Código postal', 'CAP', 'Postcode'],
  province: ['State or province', 'Bundesland', 'Région', 'Provincia', 'Provincia', 'Provincie'],
  tax_id: ['Tax number', 'Steuernummer', 'Numéro fiscal', 'NIF', 'Partita IVA', 'Btw-nummer'],
  title: ['Companies', 'Firmen', 'Sociétés', 'Empresas', 'Aziende', 'Bedrijven'],
  trade_name: ['Also known as', 'Handelsname', 'Nom commercial', 'Nombre comercial', 'Nome commerciale', 'Handelsnaam'],
  website: ['Website', 'Website', 'Site web', 'Sitio web', 'Sito web', 'Website'],
};
