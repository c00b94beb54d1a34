// What next-env.d.ts holds, so that types are right on a fresh clone before the first build.
/// <reference types="next" />
/// <reference types="next/image-types/global" />
