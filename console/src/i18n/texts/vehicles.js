/** @satisfies {Record<string, import('./index.js').Row>} */
export default {
  CUSTOMER: ['Owned by a customer', 'Kundenfahrzeug', 'D’un client', 'De un cliente', 'Di un cliente', 'Van een klant'],
  HR: ['Hours', 'Stunden', 'Heures', 'Horas', 'Ore', 'Uren'],
  KM: ['Kilometres', 'Kilometer', 'Kilomètres', 'Kilómetros', 'Chilometri', 'Kilometers'],
  LEASED: ['Leased', 'Geleast', 'En crédit-bail', 'En leasing', 'In leasing', 'Geleased'],
  MI: ['Miles', 'Meilen', 'Milles', 'Millas', 'Miglia', 'Mijlen'],
  OWNED: ['Owned', 'Eigentum', 'En propriété', 'En propiedad', 'Di proprietà', 'Eigendom'],
  RENTED: ['Rented', 'Gemietet', 'Loué', 'Alquilado', 'A noleggio', 'Gehuurd'],
  add: ['Add a vehicle', 'Fahrzeug anlegen', 'Ajouter un véhicule', 'Añadir un vehículo', 'Aggiungi un veicolo', 'Voertuig toevoegen'],
  empty: ['No vehicles yet', 'Noch keine Fahrzeuge', 'Aucun véhicule', 'Aún no hay vehículos', 'Ancora nessun veicolo', 'Nog geen voertuigen'],
  empty_text: [
    'Add cars, trucks, trailers and machines, with their plates and drivers.',
    'Autos, Lastwagen, Anhänger, Maschinen: mit Kennzeichen und wer sie fährt.',
    'Voitures, camions, remorques, engins : avec leur plaque et leur conducteur.',
    'Coches, camiones, remolques, máquinas: con su matrícula y quién conduce.',
    'Auto, camion, rimorchi, macchine: con la targa e chi guida.',
    'Auto’s, trucks, aanhangers, machines: met kenteken en bestuurder.',
  ],
  items: ['Items of its driver', 'Einträge des Fahrers', 'Éléments du conducteur', 'Elementos del conductor', 'Elementi dell’autista', 'Items van de bestuurder'],
  title: ['Vehicles', 'Fahrzeuge', 'Véhicules', 'Vehículos', 'Veicoli', 'Voertuigen'],
};
