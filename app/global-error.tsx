'use client';

import en from '@/messages/en/shell.json';
import ru from '@/messages/ru/shell.json';

/** The last resort, when even the layout failed: no provider, no style sheet, no script needed to read it. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <main>
          {[en, ru].map((messages, index) => (
            <section key={index} lang={index === 0 ? 'en' : 'ru'}>
              <h1>{messages.error.title}</h1>
              <p>{messages.error.body}</p>
              {error.digest ? <p>{messages.error.reference.replace('{digest}', error.digest)}</p> : null}
              <p>
                <a href="/projects">{messages.error.home}</a>
              </p>
            </section>
          ))}
        </main>
      </body>
    </html>
  );
}
