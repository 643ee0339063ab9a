import test from 'node:test';
import assert from 'node:assert/strict';
import { contact, sorted } from './contact.js';
import { book, card } from './card.js';

test('a contact keeps it', () => {
  assert.equal(contact('Mia', '555-1', 'abc').@@FIELD@@, 'abc');
  assert.equal(contact('Mia', '555-1', 'abc').phone, '555-1');
});

test('the card shows it', () => {
  assert.equal(card(contact('Mia', '555-1', 'abc')), 'Mia\nphone: 555-1\n@@FIELD@@: abc');
  assert.equal(card(contact('Mia', undefined, 'abc')), 'Mia\n@@FIELD@@: abc');
});

test('a card without it', () => {
  assert.equal(card(contact('Mia', '555-1')), 'Mia\nphone: 555-1');
  assert.equal(card(contact('Mia')), 'Mia');
});

test('the list has it too', () => {
  const all = [contact('Mia', '555-1', 'x'), contact('Ben')];
  assert.equal(book(all), 'Ben\n\nMia\nphone: 555-1\n@@FIELD@@: x');
});

test('the rest stays', () => {
  assert.throws(() => contact(''));
  assert.deepEqual(sorted([contact('Mia'), contact('Ben')]).map((one) => one.name), ['Ben', 'Mia']);
});
