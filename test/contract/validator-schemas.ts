/** Short forms of schemas for tests of the validators. */

export const text = (rest: object = {}) => ({ type: 'string', ...rest });

export const object = (properties: object, rest: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...rest,
});
