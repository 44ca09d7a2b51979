/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  add: ['Add a document type', 'Dokumentart anlegen', 'Ajouter un type', 'Añadir un tipo', 'Aggiungi un tipo', 'Documenttype toevoegen'],
  empty: ['No document types yet', 'Noch keine Dokumentarten', 'Aucun type de document', 'Aún no hay tipos de documento', 'Ancora nessun tipo di documento', 'Nog geen documenttypen'],
  empty_text: [
    'A document type says what is kept of a licence, a contract or an inspection, and how early somebody is told.',
    'Eine Dokumentart sagt, was zu einem Führerschein, Vertrag oder einer Prüfung festgehalten wird und wie früh erinnert wird.',
    'Un type dit ce qui est noté d’un permis, d’un contrat ou d’un contrôle, et quand prévenir.',
    'Un tipo dice qué se guarda de un permiso, contrato o inspección, y con cuánta antelación se avisa.',
    'Un tipo dice cosa si tiene di una patente, un contratto o una revisione, e quanto prima avvisare.',
    'Een documenttype zegt wat van een rijbewijs, contract of keuring bewaard wordt, en hoe vroeg iemand het hoort.',
  ],
  fields: ['Fields of its items', 'Felder ihrer Einträge', 'Champs de ses éléments', 'Campos de sus elementos', 'Campi dei suoi elementi', 'Velden van de items'],
  items: ['Items', 'Einträge', 'Éléments', 'Elementos', 'Elementi', 'Items'],
  policy: ['Reminders', 'Erinnerungen', 'Rappels', 'Avisos', 'Promemoria', 'Herinneringen'],
  policy_hint: ['Left empty, those of the workspace.', 'Leer: die des Arbeitsbereichs.', 'Vide : ceux de l’espace de travail.', 'Vacío: los del espacio de trabajo.', 'Vuoto: quelli dell’area di lavoro.', 'Leeg: die van de werkruimte.'],
  policy_of_team: ['Those of the workspace', 'Die des Arbeitsbereichs', 'Ceux de l’espace', 'Los del espacio', 'Quelli dell’area', 'Die van de werkruimte'],
  title: ['Document types', 'Dokumentarten', 'Types de document', 'Tipos de documento', 'Tipi di documento', 'Documenttypen'],
};
