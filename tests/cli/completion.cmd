for shell in bash zsh fish; do
    taskfit completion $shell
done
