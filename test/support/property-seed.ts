import fc from 'fast-check'

// What every property of this run draws from.
fc.configureGlobal({ seed: Number(process.env['INDEXWATCH_TEST_SEED']) })
