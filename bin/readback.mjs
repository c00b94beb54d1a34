#!/usr/bin/env node
/** `npx readback …`: checks Node, loads TypeScript and runs lib/cli. */
var wanted = [20, 19];
var version = process.versions.node.split('.').map(Number);
if (version[0] < wanted[0] || (version[0] === wanted[0] && version[1] < wanted[1])) {
  process.stderr.write(
    'Readback needs Node ' +
      wanted.join('.') +
      ' or newer, and this is Node ' +
      process.versions.node +
      ': update it.\n',
  );
  process.exit(1);
}

import('./run-cli.mjs').then(function (module) {
  return module.run();
});
