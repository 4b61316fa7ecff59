" Halyard: its three kinds of text.
autocmd BufNewFile,BufRead *.alg,*.sched,*.tgt setfiletype halyard
