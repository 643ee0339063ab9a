import test from 'node:test';
import assert from 'node:assert/strict';
import { contact } from './contact.js';
import { book, card } from './card.js';

test('a card', () => {
  assert.equal(card(contact('Mia', '555-1')), 'Mia\nphone: 555-1');
  assert.equal(card(contact('Mia')), 'Mia');
});

test('a book', () => {
  assert.equal(book([contact('Mia'), contact('Ben')]), 'Ben\n\nMia');
});
