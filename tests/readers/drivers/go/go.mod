module septet/reader

go 1.27
