/// Common Italian names, as simulated people have them.
enum ItalianNames {
    static let female = [
        "Giulia", "Maria", "Anna", "Francesca", "Sara", "Laura", "Chiara", "Elena", "Martina", "Paola", "Alessia",
        "Valentina", "Federica", "Silvia", "Giovanna", "Rosa", "Lucia", "Teresa", "Carla", "Angela", "Caterina",
        "Margherita", "Beatrice", "Alice", "Aurora", "Sofia", "Ginevra", "Emma", "Camilla", "Vittoria", "Rita",
        "Patrizia", "Daniela", "Roberta", "Simona", "Cristina", "Monica", "Barbara", "Antonella", "Luisa", "Ilaria",
        "Elisa", "Giorgia", "Arianna", "Noemi", "Bianca", "Adele", "Irene", "Marta", "Nicoletta",
    ]

    static let male = [
        "Marco", "Andrea", "Giuseppe", "Luca", "Francesco", "Antonio", "Matteo", "Alessandro", "Giovanni", "Paolo",
        "Lorenzo", "Davide", "Stefano", "Roberto", "Riccardo", "Mario", "Luigi", "Salvatore", "Vincenzo", "Pietro",
        "Carlo", "Franco", "Domenico", "Bruno", "Giorgio", "Michele", "Simone", "Federico", "Gabriele", "Leonardo",
        "Tommaso", "Edoardo", "Filippo", "Diego", "Enrico", "Massimo", "Claudio", "Fabio", "Daniele", "Emanuele",
        "Nicola", "Giacomo", "Samuele", "Alberto", "Sergio", "Maurizio", "Angelo", "Umberto", "Renato", "Ettore",
    ]

    static let surnames = [
        "Rossi", "Russo", "Ferrari", "Esposito", "Bianchi", "Romano", "Colombo", "Ricci", "Marino", "Greco", "Bruno",
        "Gallo", "Conti", "De Luca", "Mancini", "Costa", "Giordano", "Rizzo", "Lombardi", "Moretti", "Barbieri",
        "Fontana", "Santoro", "Mariani", "Rinaldi", "Caruso", "Ferrara", "Galli", "Martini", "Leone", "Longo",
        "Gentile", "Martinelli", "Vitale", "Lombardo", "Serra", "Coppola", "De Santis", "D'Angelo", "Marchetti",
        "Parisi", "Villa", "Conte", "Ferraro", "Ferri", "Fabbri", "Bianco", "Marini", "Grasso", "Valentini", "Messina",
        "Sala", "De Angelis", "Gatti", "Pellegrini", "Palumbo", "Sanna", "Farina", "Rizzi", "Monti", "Cattaneo",
        "Morelli", "Amato", "Silvestri", "Mazza", "Testa", "Grassi", "Pellegrino", "Carbone", "Giuliani", "Benedetti",
        "Barone", "Rossetti", "Caputo", "Montanari", "Guerra", "Palmieri", "Bernardi", "Martino", "Fiore", "De Rosa",
        "Ferretti", "Bellini", "Basile", "Riva", "Donati", "Piras", "Vitali", "Battaglia", "Sartori", "Neri",
        "Costantini", "Milani", "Pagano", "Ruggiero", "Sorrentino", "D'Amico", "Orlando", "Damico", "Negri",
    ]
}
