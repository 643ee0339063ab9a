/**
 * Calendar files as trees: components between BEGIN and END, with their properties.
 */
import { InputError } from '../errors.js';
import { parseLine, unfold } from './lines.js';

export class Component {
  constructor(name) {
    this.name = name;
    this.properties = [];
    this.children = [];
  }

  /** The first property of that name, or undefined. */
  first(name) {
    return this.properties.find((property) => property.name === name);
  }

  all(name) {
    return this.properties.filter((property) => property.name === name);
  }

  /** The value of the first property of that name, or undefined. */
  value(name) {
    return this.first(name)?.value;
  }

  named(name) {
    return this.children.filter((child) => child.name === name);
  }
}

/** The outermost components of a text. */
export function parseComponents(text) {
  const root = new Component('');
  const open = [root];
  for (const line of unfold(text)) {
    const property = parseLine(line);
    const name = property.value.toUpperCase();
    if (property.name === 'BEGIN') {
      const child = new Component(name);
      open.at(-1).children.push(child);
      open.push(child);
    } else if (property.name === 'END') {
      const closed = open.pop();
      if (open.length === 0 || closed.name !== name) throw new InputError(`line ${line.number}: END:${name} ends nothing`);
    } else {
      if (open.length === 1) throw new InputError(`line ${line.number}: '${property.name}' outside of a calendar`);
      open.at(-1).properties.push(property);
    }
  }
  if (open.length > 1) throw new InputError(`BEGIN:${open.at(-1).name} without END`);
  return root.children;
}
