import { writeFileSync } from 'node:fs';
import { renderErrorDocs } from './error-docs';

writeFileSync(new URL('../../docs/errors.md', import.meta.url), renderErrorDocs());
