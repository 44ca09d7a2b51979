/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  details: ['Details', 'Einzelheiten', 'Détails', 'Detalles', 'Dettagli', 'Details'],
  fields: ['Further fields', 'Weitere Felder', 'Autres champs', 'Otros campos', 'Altri campi', 'Overige velden'],
};
