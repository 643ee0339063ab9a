// Matches the path of a request against routes like `/users/:id/posts` and calls what is behind them.

export type Params = Record<string, string>;

export interface Request {
  method: string;
  path: string;
  headers: Map<string, string>;
  body?: string;
}

export interface Response {
  status: number;
  body: string;
}

export type Handler = (request: Request, params: Params) => Promise<Response>;

export type Middleware = (request: Request, next: () => Promise<Response>) => Promise<Response>;

interface Route {
  method: string;
  parts: string[];
  handler: Handler;
}

export class RouteError extends Error {
  constructor(message: string, readonly path: string) {
    super(message);
    this.name = 'RouteError';
  }
}

export class Router {
  private routes: Route[] = [];
  private middleware: Middleware[] = [];

  use(middleware: Middleware): this {
    this.middleware.push(middleware);
    return this;
  }

  get(path: string, handler: Handler): this {
    return this.add('GET', path, handler);
  }

  post(path: string, handler: Handler): this {
    return this.add('POST', path, handler);
  }

  delete(path: string, handler: Handler): this {
    return this.add('DELETE', path, handler);
  }

  private add(method: string, path: string, handler: Handler): this {
    if (!path.startsWith('/')) {
      throw new RouteError('a route begins with a slash', path);
    }
    const parts = split(path);
    const names = parts.filter((part) => part.startsWith(':'));
    if (new Set(names).size !== names.length) {
      throw new RouteError('a name stands twice in this route', path);
    }
    this.routes.push({ method, parts, handler });
    return this;
  }

  async handle(request: Request): Promise<Response> {
    const found = this.find(request);
    if (!found) {
      return { status: 404, body: `nothing at ${request.path}` };
    }
    let next = () => found.route.handler(request, found.params);
    for (const layer of [...this.middleware].reverse()) {
      const inner = next;
      next = () => layer(request, inner);
    }
    try {
      return await next();
    } catch (error) {
      console.error('request failed', request.path, error);
      return { status: 500, body: 'something went wrong' };
    }
  }

  private find(request: Request): { route: Route; params: Params } | undefined {
    const parts = split(request.path);
    for (const route of this.routes) {
      if (route.method !== request.method || route.parts.length !== parts.length) {
        continue;
      }
      const params = match(route.parts, parts);
      if (params) {
        return { route, params };
      }
    }
    return undefined;
  }
}

function split(path: string): string[] {
  return path.split('/').filter((part) => part.length > 0);
}

function match(pattern: string[], parts: string[]): Params | undefined {
  const params: Params = {};
  for (let index = 0; index < pattern.length; index += 1) {
    const expected = pattern[index];
    if (expected.startsWith(':')) {
      params[expected.slice(1)] = decodeURIComponent(parts[index]);
    } else if (expected !== parts[index]) {
      return undefined;
    }
  }
  return params;
}
