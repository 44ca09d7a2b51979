/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  add: ['Add a location', 'Ort anlegen', 'Ajouter un lieu', 'Añadir una ubicación', 'Aggiungi un luogo', 'Locatie toevoegen'],
  close: ['Close {name}', '{name} zuklappen', 'Fermer {name}', 'Cerrar {name}', 'Chiudi {name}', '{name} sluiten'],
  empty: ['No locations yet', 'Noch keine Orte', 'Aucun lieu', 'Aún no hay ubicaciones', 'Ancora nessun luogo', 'Nog geen locaties'],
  empty_text: [
    'A building, a yard, a shelf: locations can contain other locations, and you find items by where they are.',
    'Ein Gebäude, ein Hof, ein Regal: Orte liegen ineinander, und Einträge findet man über sie.',
    'Un bâtiment, une cour, une étagère : les lieux s’emboîtent, et on y retrouve les éléments.',
    'Un edificio, un patio, un estante: las ubicaciones se contienen, y los elementos se buscan por ellas.',
    'Un edificio, un cortile, uno scaffale: i luoghi stanno l’uno nell’altro e aiutano a trovare.',
    'Een gebouw, een terrein, een plank: locaties liggen in elkaar, en items vindt u erdoor.',
  ],
  inside: ['Locations inside', 'Orte darin', 'Lieux à l’intérieur', 'Ubicaciones dentro', 'Luoghi qui dentro', 'Locaties hierin'],
  items: ['{n} item|{n} items', '{n} Eintrag|{n} Einträge', '{n} élément|{n} éléments', '{n} elemento|{n} elementos', '{n} elemento|{n} elementi', '{n} item|{n} items'],
  open: ['Open {name}', '{name} aufklappen', 'Ouvrir {name}', 'Abrir {name}', 'Apri {name}', '{name} openen'],
  title: ['Locations', 'Orte', 'Lieux', 'Ubicaciones', 'Luoghi', 'Locaties'],
  top: ['Nothing (top level)', 'Nichts: ganz oben', 'Rien : au premier niveau', 'Nada: está arriba del todo', 'Niente: è in cima', 'Niets: bovenaan'],
};
