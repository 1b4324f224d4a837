// @ts-check
/** A rule for ESLint and oxlint that forbids names unsafe in an Electron app (docs/development/decisions/0005-security.md). */

/** @type {Record<string, string>} */
const forbidden = {
  "CallExpression[callee.name='eval']": 'No code from strings.',
  "NewExpression[callee.name='Function']": 'No code from strings.',
  "CallExpression[callee.property.name='executeJavaScript']": 'No code from strings.',
  "CallExpression[callee.property.name='setCertificateVerifyProc']": 'TLS checks stay on.',
  "Property[key.name='rejectUnauthorized'][value.value=false]": 'TLS checks stay on.',
  "MemberExpression[property.name='innerHTML']": 'Text is set as text.',
  "MemberExpression[object.name='shell'][property.name='openExternal']": 'No address is opened but the app’s own site.',
}

/** @type {import('eslint').Rule.RuleModule} */
const safeSyntax = {
  meta: { type: 'problem', schema: [] },
  create: (context) =>
    Object.fromEntries(
      Object.entries(forbidden).map(([selector, message]) => [
        selector,
        /** @param {import('eslint').Rule.Node} node */
        (node) => context.report({ node, message }),
      ]),
    ),
}

export default { meta: { name: 'local' }, rules: { 'safe-syntax': safeSyntax } }
