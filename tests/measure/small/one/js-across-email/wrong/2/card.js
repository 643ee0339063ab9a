import { sorted } from './contact.js';

/** The text of one contact. */
export function card(contact) {
  const lines = [contact.name];
  if (contact.phone) lines.push(`phone: ${contact.phone}`);
  lines.push(`@@FIELD@@: ${contact.@@FIELD@@}`);
  return lines.join('\n');
}

/** All of them, with an empty line between. */
export function book(contacts) {
  return sorted(contacts).map(card).join('\n\n');
}
