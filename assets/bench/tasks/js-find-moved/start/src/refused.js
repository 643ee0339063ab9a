/** Something that cannot be done, in words for the person at the desk. */
export class Refused extends Error {
  constructor(message) {
    super(message);
    this.name = 'Refused';
  }
}
