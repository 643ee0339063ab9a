/** Somebody in the address book. */
export function contact(name, phone) {
  if (!name) throw new Error('a contact needs a name');
  return { name, phone };
}

/** In order of names. */
export function sorted(contacts) {
  return [...contacts].sort((a, b) => a.name.localeCompare(b.name));
}
