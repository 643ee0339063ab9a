/** Somebody in the address book. */
export function contact(name, phone, @@FIELD@@) {
  if (!name) throw new Error('a contact needs a name');
  return { name, phone, @@FIELD@@ };
}

/** In order of names. */
export function sorted(contacts) {
  return [...contacts].sort((a, b) => a.name.localeCompare(b.name));
}
