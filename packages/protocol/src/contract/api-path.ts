// Where the API is below the origin of a runner; apart from the operations, which a page evaluates later.

export const API = '/api/v1';
