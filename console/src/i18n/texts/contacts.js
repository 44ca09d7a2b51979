/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  add: ['Add a contact', 'Kontakt anlegen', 'Ajouter un contact', 'Añadir un contacto', 'Aggiungi un contatto', 'Contact toevoegen'],
  companies: ['Companies', 'Firmen', 'Sociétés', 'Empresas', 'Aziende', 'Bedrijven'],
  empty: ['No contacts yet', 'Noch keine Kontakte', 'Aucun contact', 'Aún no hay contactos', 'Ancora nessun contatto', 'Nog geen contacten'],
  empty_text: [
    'Contacts are the people that items belong to. They are reminded before a date.',
    'Kontakte sind die Menschen, zu denen Einträge gehören und die vor einem Datum erinnert werden.',
    'Les contacts sont les personnes concernées par les échéances et prévenues avant une date.',
    'Los contactos son las personas de cada elemento, a quienes se avisa antes de una fecha.',
    'I contatti sono le persone a cui appartengono le scadenze e che vengono avvisate.',
    'Contacten zijn de mensen bij wie items horen, en die vóór een datum iets horen.',
  ],
  timezone_hint: [
    'Decides when their daily or weekly digest is sent.',
    'Nach dieser Uhr kommt die tägliche oder wöchentliche Übersicht.',
    'L’heure à laquelle part le résumé quotidien ou hebdomadaire.',
    'La hora a la que sale el resumen diario o semanal.',
    'L’ora con cui parte il riepilogo quotidiano o settimanale.',
    'De klok waarnaar het dagelijkse of wekelijkse overzicht wordt verstuurd.',
  ],
  title: ['Contacts', 'Kontakte', 'Contacts', 'Contactos', 'Contatti', 'Contacten'],
  vehicles: ['Vehicles', 'Fahrzeuge', 'Véhicules', 'Vehículos', 'Veicoli', 'Voertuigen'],
};
